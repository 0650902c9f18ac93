import { createContext, type ReactNode, useContext, useEffect, useState } from 'react'
import { usePathname } from 'wouter/use-browser-location'
import { findPage, isForVisitors } from '../pages/find-page.ts'
import { call } from '../session/api.ts'
import { applySignInLog } from '../session/sign-in-log.ts'
import { getAuth, profileFrom, setProfile } from '../session/stored-auth.ts'
import { isSimulator } from './lazy-page.tsx'

/** A warden whose phone hangs in a dead zone must see the kept screen, not a spinner for the whole timeout. */
const patience = 3000

const CheckedContext = createContext(true)
/** False while the first load still asks the server whether the stored session lives. */
export const useSessionChecked = () => useContext(CheckedContext)

export function SessionGate({ children }: { children: ReactNode }) {
  const pathname = usePathname()
  // Not where guests go: a stale session refused there would throw away the link in the address. Nor where none is needed.
  const [checked, setChecked] = useState(() => getAuth() === null || isPublic(pathname) || isSimulator(pathname))

  useEffect(() => {
    if (checked) return
    const done = () => setChecked(true)
    const timer = setTimeout(done, patience)
    checkSession().finally(done)
    return () => clearTimeout(timer)
  }, [checked])

  return <CheckedContext value={checked}>{children}</CheckedContext>
}

function isPublic(pathname: string) {
  const page = findPage(pathname)
  return page && isForVisitors(page)
}

/** A 401 ends the session in `call`; any other failure lets the stored state through. */
async function checkSession() {
  try {
    setProfile(profileFrom(await call('GET /api/user', {})))
    void logAndKeepStep()
  } catch {}
}

/** The sign-in log once at app start. */
async function logAndKeepStep() {
  const before = getAuth()
  if (!before) return
  try {
    const { peer_email } = before
    const record = await call('POST /api/warden/signin', { body: peer_email ? { peer_email } : null })
    applySignInLog(before, record, location.pathname)
  } catch {}
}
