import type { getChannels, Publication } from '#features/live-updates/calls/realtime.ts'
import type { CallReply } from '#kernel/route.ts'
import { browser } from '../lib/browser.ts'
import { createStore } from '../lib/store.ts'
import { isRealtimePage } from '../pages/find-page.ts'
import { eventFlags } from './event-flags.ts'
import { noteEventKind } from './event-kind.ts'
import { getAuth, updateAuth } from './stored-auth.ts'

/** Someone else has concluded the event. */
export const conclusionStore = createStore(false)
/** This page sends the end of the event, or has sent it and shows the result. */
export const endsHereStore = createStore(false)
/** Text of the popup whose only button is Logout. */
export const blockingStore = createStore<string | null>(null)

/** The drill became live, and this warden has not said that they read it. `at` is ISO 8601. */
export const madeLiveStore = createStore<CallReply<typeof getChannels>['made_live']>(null)

/** Clears the notices for the next session in this page: a warden must not see another's. */
export function forgetNotices() {
  conclusionStore.set(false)
  endsHereStore.set(false)
  blockingStore.set(null)
  madeLiveStore.set(null)
}

/** Handles the status of a publication. `pathname` is the current page. */
export function noteEvent({ status, message, event, event_kind }: Publication, pathname: string) {
  noteEventKind(event_kind)
  // nearly every publication says that the event goes on, dozens in a second: this looks neither at the page nor at the storage
  if (isOk(status) && (event?.status || !isRealtimePage(pathname))) return
  if (isOk(status) && isOwnEnd(event)) leaveOwnEnd()
  else noteEnding({ status, message, event })
}

/** No notice. Another page of the warden who ended the event goes where the page that ended it leads. */
function leaveOwnEnd() {
  if (endsHereStore.get()) return
  storeEnding()
  browser.load('/reportinlist')
}

/** The same on any page. */
export function noteEnding({ status, message, event }: Pick<Publication, 'status' | 'message' | 'event'>) {
  if (!isOk(status)) {
    if (!message) return
    blockingStore.set(message)
    updateAuth({ event: eventFlags('end'), event_kind: null })
    return
  }
  const auth = getAuth()
  if (!auth || event?.status) return
  if (isOwnEnd(event)) return
  // Already handled here: the reply to the end may arrive when the participation it names is no longer stored.
  if (!auth.WardenSignInUID && !auth.on_duty && !auth.event.status) return
  conclusionStore.set(true)
  storeEnding()
}

/** The event of this warden is over. */
export const storeEnding = () => updateAuth({ on_duty: false, event: eventFlags('end'), event_kind: null })

/** This warden ended the event, here or on another device. */
const isOwnEnd = (event: Publication['event']) => !!event?.ended_by && event.ended_by === getAuth()?.WardenSignInUID

const isOk = (status: string) => status.toLowerCase() === 'ok'
