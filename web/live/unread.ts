import type { Publication } from '#features/live-updates/calls/realtime.ts'
import { createStore } from '../lib/store.ts'

/** What is unread for this warden. `wardens` are assignment uids, for the markers in lists. */
export interface Unread {
  wardens: readonly string[]
  fromWardens: boolean
  fromEvacuees: boolean
  /** Evacuees with an unread message, up to `mostUnread`. */
  evacuees: number
}
const nothing: Unread = { wardens: [], fromWardens: false, fromEvacuees: false, evacuees: 0 }

export const unreadStore = createStore<Unread>(nothing)

/**
 * Missing fields leave the banner unchanged. Most publications have none of these fields, and draw nothing anew. True if
 * something changed.
 */
export function noteUnread(publication: Publication): boolean {
  const before = unreadStore.get()
  const next: Unread = {
    wardens: publication.unread_messages_from_wardens ?? before.wardens,
    fromWardens: publication.warden_unread_msg ?? before.fromWardens,
    fromEvacuees: publication.evacuee_unread_msg ?? before.fromEvacuees,
    evacuees: publication.evacuee_unread_count ?? before.evacuees,
  }
  const isNew = (Object.keys(next) as (keyof Unread)[]).some((what) => next[what] !== before[what])
  if (isNew) unreadStore.set(next)
  return isNew
}

/** The messages of one warden were read here, before the server says so to all phones of this warden. */
export function noteRead(warden: string) {
  const before = unreadStore.get()
  if (!before.wardens.includes(warden)) return
  const wardens = before.wardens.filter((one) => one !== warden)
  unreadStore.set({ ...before, wardens, fromWardens: wardens.length > 0 })
}

/** The banner's text, or null if nothing is unread. */
export function unreadText({ fromWardens, fromEvacuees }: Pick<Unread, 'fromWardens' | 'fromEvacuees'>): string | null {
  if (fromWardens && fromEvacuees) return 'Unread Message from Evacuees and Wardens'
  if (fromEvacuees) return 'Unread Message from Evacuees only'
  return fromWardens ? 'Unread Message from Wardens only' : null
}

/** Numbers of evacuees and wardens who wrote, in the order of the banner's words. Those of no one are left out. */
export const unreadCounts = ({ wardens, fromWardens, fromEvacuees, evacuees }: Unread) =>
  [
    { of: 'evacuee', count: fromEvacuees ? evacuees : 0 },
    { of: 'warden', count: fromWardens ? wardens.length : 0 },
  ].filter(({ count }) => count > 0)

/** Between tests. @internal */
export const forgetUnread = () => unreadStore.set(nothing)
