import { type ReactNode, useEffect, useState } from 'react'
import { usePathname } from 'wouter/use-browser-location'
import { kept } from '../lib/tab-state.ts'
import { isAllowed } from '../pages/access.ts'
import { findPage } from '../pages/find-page.ts'
import { Redirect } from '../pages/navigate.ts'
import type { Access, Address } from '../pages/pages.ts'
import { eventFlags } from '../session/event-flags.ts'
import { readLinkTokens } from '../session/sign-in-link/link-tokens.ts'
import { clearAuth, getAuth, updateAuth, useAuth } from '../session/stored-auth.ts'
import { forgetWanted, keepWanted, readWanted } from '../session/wanted-page.ts'
import { Spinner } from '../ui/spinner.tsx'
import { useNoTranslation } from './place/no-translation.ts'
import { useSessionChecked } from './session-gate.tsx'

interface GuardProps {
  access: Access
  children: ReactNode
}

/** Lets a page through, shows a spinner while the session is being checked, or sends the visitor on. */
export function Guard({ access, children }: GuardProps) {
  if (access === 'link') return children
  return access === 'guest' ? (
    <GuestsOnly>{children}</GuestsOnly>
  ) : (
    <WardensOnly access={access}>{children}</WardensOnly>
  )
}

/**
 * Guests only. But a visitor with a link is let in whoever is signed in. Decided once, when the page opens: a sign-in
 * that is under way here must reach its profile first and leaves by itself.
 */
function GuestsOnly({ children }: { children: ReactNode }) {
  const [isGuest] = useState(() => {
    const { token, reportInToken } = readLinkTokens(location)
    return getAuth() === null || Boolean(token || reportInToken)
  })
  return isGuest ? children : <Redirect to="/reportinlist" />
}

function WardensOnly({ access, children }: GuardProps) {
  useNoTranslation()
  const pathname = usePathname()
  const auth = useAuth()
  const checked = useSessionChecked()
  const mustLeave = useLeaveFlag(pathname)

  const wanted = useWanted(pathname)

  // These pages send to the list, whose own guard sends on to /login.
  if (!auth) return access === 'stored-auth' ? <ToList /> : <ToLogin />
  if (wanted) return <Redirect to={wanted} />
  if (!checked) return <Spinner label="Loading..." />
  if (mustLeave || !isAllowed(auth, access)) return <Redirect to="/reportinlist" />
  return children
}

/**
 * The sign-in leads to the list, as specified, and the list on to the page that was asked for before, if this
 * warden may open it.
 */
function useWanted(pathname: string): Address | null {
  const isList = pathname === '/reportinlist'
  const [wanted, setWanted] = useState(() => (isList && getAuth() ? readWanted() : null))
  useEffect(() => {
    if (!isList) setWanted(null)
    else if (getAuth()) forgetWanted()
  }, [isList])
  const auth = getAuth()
  const page = wanted ? findPage(wanted.split('?')[0] ?? '') : undefined
  return isList && auth && page?.screen && isAllowed(auth, page.access) ? wanted : null
}

/** Before the redirect, whose effect runs first, changes the address. */
function useKeepWanted() {
  const [asked] = useState(() => location.pathname + location.search)
  useEffect(() => {
    if (!asked.startsWith('/reportinlist')) keepWanted(asked)
  }, [asked])
}

function ToList() {
  useKeepWanted()
  return <Redirect to="/reportinlist" />
}

function ToLogin() {
  useKeepWanted()
  useEffect(() => {
    clearAuth()
    // the session ended in another tab: the next warden finds nothing of the last one
    kept.forget()
  }, [])
  return <Redirect to="/login" />
}

/**
 * After an event has ended, the next guarded page is the report-in list. Read when a page is entered, not
 * followed: the page on screen must stay until its notice has been read.
 */
function useLeaveFlag(pathname: string): boolean {
  const isList = pathname.startsWith('/reportinlist')
  const [entered, setEntered] = useState({ pathname, leave: wantsToLeave() })
  if (entered.pathname !== pathname) setEntered({ pathname, leave: wantsToLeave() })

  useEffect(() => {
    if (isList && wantsToLeave()) updateAuth({ event: eventFlags('list reached') })
  }, [isList])

  return !isList && entered.leave
}

const wantsToLeave = () => getAuth()?.event?.goToReportInListPage === true
