import type { ReactNode } from 'react'
import { usePathname } from 'wouter/use-browser-location'
import type { EventUid } from '#kernel/ids.ts'
import type { Address } from '#web/pages/pages.ts'
import { call } from '#web/session/api.ts'
import { consoleCall } from '#web/session/console-session.ts'

/** Administrators read the same pages below /console, with a token of their own. */
export const isConsole = () => location.pathname.startsWith('/console/')

/** What makes calls as the person who reads the page. */
export const asker = () => (isConsole() ? consoleCall : call)

/** An address below the list of past events, on the side of the person who reads the page. */
export const addressOf = (rest: '' | `/${string}`): Address => `/${isConsole() ? 'console' : 'event'}/records${rest}`

/** The event of the page, as its address says. */
export const useEventUid = () => usePathname().split('/')[3] as EventUid

/** What adds to a record. Administrators read. */
export const Adds = ({ children }: { children: ReactNode }) => (isConsole() ? null : children)
