import type { ClientUid, EventUid } from '@evac/contract/ids.ts'

/** The event that a board shows. */
export interface BoardOf {
  clientUid: ClientUid
  eventUid: EventUid
}

export const keyOf = ({ clientUid, eventUid }: BoardOf) => `${clientUid}/${eventUid}`
