import type { Publication } from '@evac/contract/calls/realtime.ts'
import { createStore } from '../lib/store.ts'
import { isRealtimePage } from '../pages/find-page.ts'
import { eventFlags } from './event-flags.ts'
import { noteEventKind } from './event-kind.ts'
import { getAuth, updateAuth } from './stored-auth.ts'

/** RT-01: somebody else has concluded the event. */
export const conclusionStore = createStore(false)
/** RT-05: text of the popup whose only button is Logout. */
export const blockingStore = createStore<string | null>(null)

/** Clears the notices for the next session in this page: a warden must not see another's. */
export function forgetNotices() {
  conclusionStore.set(false)
  blockingStore.set(null)
}

/** Handles the status of a publication. `pathname` is the current page. */
export function noteEvent({ status, message, event, event_kind }: Publication, pathname: string) {
  noteEventKind(event_kind)
  if (status.toLowerCase() === 'ok' && !isRealtimePage(pathname)) return
  noteEnding({ status, message, event })
}

/** The same on any page. */
export function noteEnding({ status, message, event }: Pick<Publication, 'status' | 'message' | 'event'>) {
  if (status.toLowerCase() !== 'ok') {
    if (!message) return
    blockingStore.set(message)
    updateAuth({ event: eventFlags('end'), event_kind: null })
    return
  }
  const auth = getAuth()
  if (!auth || event?.status) return
  // RT-03, AMB-077: the warden who ended the event has seen it on the screen that ended it.
  if (event?.ended_by && event.ended_by === auth.WardenSignInUID) return
  // Already handled here: the reply to the end may arrive when the participation it names is no longer stored.
  if (!auth.WardenSignInUID && !auth.on_duty && !auth.event.status) return
  conclusionStore.set(true)
  updateAuth({ on_duty: false, event: eventFlags('end'), event_kind: null })
}
