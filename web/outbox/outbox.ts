import { openChannel } from '../lib/phone-storage.ts'
import { createStore, type Store } from '../lib/store.ts'
import { kept, lateNotice } from '../lib/tab-state.ts'
import { noteUnsaved } from '../lib/unsaved.ts'
import { call } from '../session/api.ts'
import { getAuth, getStoredProfile, nameOf } from '../session/stored-auth.ts'
import { type Outbox, openOutbox } from './core/outbox.ts'
import type { OutboxRecord } from './core/safety-record.ts'
import { isSaved, openStorage } from './outbox-storage.ts'
import { withSenderLock } from './sender-lock.ts'

export type BrowserOutbox = Outbox<Store<readonly OutboxRecord[]>>

/** The outbox of a browser, with IndexedDB and the stored sign-in. Tabs that share the name share one sender. */
export function createOutbox(name = 'evac-outbox'): BrowserOutbox {
  const records = createStore<readonly OutboxRecord[]>([])
  records.subscribe(() => noteUnsaved('records', !records.get().every(isSaved)))
  const browser = {
    storage: openStorage(name),
    call,
    session: getAuth,
    ownerName,
    withLock: withSenderLock(name),
    tabs: openChannel(name),
    now: () => Date.now(),
    isOnline: () => navigator.onLine,
    onHope,
    onKept,
  }
  return openOutbox(browser, records)
}

function ownerName() {
  const profile = getStoredProfile()
  return profile && nameOf(profile)
}

export function onHope(wake: () => void, signal: AbortSignal) {
  for (const sign of ['online', 'focus', 'pageshow']) window.addEventListener(sign, wake, { signal })
  document.addEventListener('visibilitychange', () => !document.hidden && wake(), { signal })
}

/** A chunk of its own: few phones ever need it. Noted before it loads, because the page may be left meanwhile. */
const onKept = () => {
  kept.set(lateNotice, true)
  void import('./late-notice.ts').then(({ noticeKept }) => noticeKept())
}
if (kept.get(lateNotice)) onKept()

/** The outbox of this phone. */
export const outbox = createOutbox()
