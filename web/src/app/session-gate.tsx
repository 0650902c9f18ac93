import { logSignIn } from '@evac/contract/report-in.ts'
import { getProfile } from '@evac/contract/sign-in.ts'
import { createContext, type ReactNode, useContext, useEffect, useState } from 'react'
import { useLocation } from 'react-router'
import { call } from '../lib/api.ts'
import { findRoute } from '../lib/routes.ts'
import { getAuth, profileFrom, setProfile, updateAuth } from '../lib/stored-auth.ts'
import { isSimulator } from './simulator-page.tsx'

/** A warden whose phone hangs in a dead zone must see the kept screen, not a spinner for the whole timeout. */
const patience = 3000

const CheckedContext = createContext(true)
/** False while the first load still asks the server whether the stored session lives (AMB-007). */
export const useSessionChecked = () => useContext(CheckedContext)

export function SessionGate({ children }: { children: ReactNode }) {
  const { pathname } = useLocation()
  // Not where guests go: a stale session refused there would throw away the link in the address. Nor where none is needed.
  const [checked, setChecked] = useState(
    () => getAuth() === null || findRoute(pathname)?.access === 'guest' || isSimulator(pathname),
  )

  useEffect(() => {
    if (checked) return
    const done = () => setChecked(true)
    const timer = setTimeout(done, patience)
    checkSession().finally(done)
    return () => clearTimeout(timer)
  }, [checked])

  return <CheckedContext value={checked}>{children}</CheckedContext>
}

/** A 401 ends the session in `call`; any other failure lets the stored state through. */
async function checkSession() {
  try {
    setProfile(profileFrom(await call(getProfile, {})))
    void keepStep()
  } catch {}
}

/** AMB-061: the sign-in log once at app start; its answer keeps stored auth in step with the server. */
async function keepStep() {
  const before = getAuth()
  if (!before) return
  try {
    const { peer_email } = before
    const { on_duty, WardenSignInUID } = await call(logSignIn, { body: peer_email ? { peer_email } : null })
    if (getAuth()?.access_token === before.access_token) updateAuth({ on_duty, WardenSignInUID })
  } catch {}
}
