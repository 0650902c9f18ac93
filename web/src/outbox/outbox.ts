import { createStore, type Store } from '../lib/store.ts'
import { noteUnkept } from '../lib/unkept.ts'
import { call } from '../session/api.ts'
import { getAuth, getStoredProfile } from '../session/stored-auth.ts'
import { type Outbox, openOutbox } from './core/outbox.ts'
import type { OutboxRecord } from './core/record.ts'
import { isKept, openBox } from './outbox-box.ts'
import { withSenderLock } from './sender-lock.ts'

export type BrowserOutbox = Outbox<Store<readonly OutboxRecord[]>>

/** The outbox of a browser: IndexedDB, the stored sign-in, one sender among the tabs that share the name. */
export function createOutbox(name = 'evac-outbox'): BrowserOutbox {
  const records = createStore<readonly OutboxRecord[]>([])
  records.subscribe(() => noteUnkept('records', !records.get().every(isKept)))
  const browser = {
    storage: openBox(name),
    call,
    session: getAuth,
    ownerName,
    withLock: withSenderLock(name),
    tabs: openChannel(name),
    now: () => Date.now(),
    isOnline: () => navigator.onLine,
    onHope,
  }
  return openOutbox(browser, records)
}

function ownerName() {
  const profile = getStoredProfile()
  return profile && `${profile.firstname} ${profile.lastname}`
}

/** Where site data is blocked a tab may not speak to others: each shows its own. */
function openChannel(name: string): BroadcastChannel | undefined {
  try {
    return new BroadcastChannel(name)
  } catch {
    return undefined
  }
}

function onHope(wake: () => void, signal: AbortSignal) {
  for (const sign of ['online', 'focus', 'pageshow']) window.addEventListener(sign, wake, { signal })
  document.addEventListener('visibilitychange', () => !document.hidden && wake(), { signal })
}

/** The outbox of this phone. */
export const outbox = createOutbox()
