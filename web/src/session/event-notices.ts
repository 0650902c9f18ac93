import type { Publication } from '@evac/contract/realtime.ts'
import { createStore } from '../lib/store.ts'
import { isRealtimePage } from '../pages/find-page.ts'
import { eventFlags } from './event-flags.ts'
import { getAuth, updateAuth } from './stored-auth.ts'

/** RT-01: the event has been concluded by somebody else. */
export const conclusionStore = createStore(false)
/** RT-05: text of the popup that only Logout leaves. */
export const blockingStore = createStore<string | null>(null)

/** For the next session within this page: a warden must not meet what another was told. */
export function forgetNotices() {
  conclusionStore.set(false)
  blockingStore.set(null)
}

/** Reacts to the status of a publication; `pathname` is the page on screen now. */
export function noteEvent({ status, message, event }: Publication, pathname: string) {
  if (status.toLowerCase() === 'ok' && !isRealtimePage(pathname)) return
  noteEnding({ status, message, event })
}

/** The same, whatever page is on screen. */
export function noteEnding({ status, message, event }: Pick<Publication, 'status' | 'message' | 'event'>) {
  if (status.toLowerCase() !== 'ok') {
    if (!message) return
    blockingStore.set(message)
    updateAuth({ event: eventFlags('end') })
    return
  }
  const auth = getAuth()
  if (!auth || event?.status) return
  // RT-03, AMB-077: who ended the event has been told by the screen that ended it.
  if (event?.ended_by && event.ended_by === auth.WardenSignInUID) return
  // Known here already: its answer may come when the sign-in it names is no longer stored.
  if (!auth.WardenSignInUID && !auth.on_duty && !auth.event.status) return
  conclusionStore.set(true)
  updateAuth({ on_duty: false, event: eventFlags('end') })
}
