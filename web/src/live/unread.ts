import type { Publication } from '@evac/contract/calls/realtime.ts'
import { createStore } from '../lib/store.ts'

/** What is unread for this warden. `wardens` are assignment uids, for the markers in lists (AMB-080). */
export interface Unread {
  wardens: readonly string[]
  fromWardens: boolean
  fromEvacuees: boolean
}
const nothing: Unread = { wardens: [], fromWardens: false, fromEvacuees: false }

export const unreadStore = createStore<Unread>(nothing)

/** RT-18: missing fields leave the banner unchanged (AMB-076). */
export function noteUnread(publication: Publication) {
  const before = unreadStore.get()
  unreadStore.set({
    wardens: publication.unread_messages_from_wardens ?? before.wardens,
    fromWardens: publication.warden_unread_msg ?? before.fromWardens,
    fromEvacuees: publication.evacuee_unread_msg ?? before.fromEvacuees,
  })
}

/** MENU-16..19: the banner's text, or null if nothing is unread (AMB-014). */
export function unreadText({ fromWardens, fromEvacuees }: Unread): string | null {
  if (fromWardens && fromEvacuees) return 'Unread Message from Evacuees and Wardens'
  if (fromEvacuees) return 'Unread Message from Evacuees only'
  return fromWardens ? 'Unread Message from Wardens only' : null
}

export const forgetUnread = () => unreadStore.set(nothing)
