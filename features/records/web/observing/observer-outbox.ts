import type { CallOptions } from '#kernel/client/client.ts'
import type { AssignmentUid, PersonUid } from '#kernel/ids.ts'
import { openChannel } from '#web/lib/phone-storage.ts'
import { createStore } from '#web/lib/store.ts'
import { openOutbox } from '#web/outbox/core/outbox.ts'
import type { Phone } from '#web/outbox/core/phone.ts'
import type { OutboxRecord } from '#web/outbox/core/safety-record.ts'
import { type BrowserOutbox, onHope } from '#web/outbox/outbox.ts'
import { openStorage } from '#web/outbox/outbox-storage.ts'
import { withSenderLock } from '#web/outbox/sender-lock.ts'
import { callAsObserver, type NewNote } from './noting.data.ts'

/** The notes of one link wait apart from those of others, and from the records of the person signed in on this phone. */
export function openObserverOutbox(token: string): BrowserOutbox {
  const name = `evac-observer-${token.slice(0, 12)}`
  // no one's session: the link alone says who notes
  const session = {
    Person_UID: name as PersonUid,
    WardenSignInUID: null,
    Warden_Assignment_UID: name as AssignmentUid,
    on_duty: false,
  }
  return openOutbox(
    {
      storage: openStorage(name),
      call: noting(token),
      session: () => session,
      ownerName: () => null,
      withLock: withSenderLock(name),
      tabs: openChannel(name),
      now: () => Date.now(),
      isOnline: () => navigator.onLine,
      onHope,
    },
    createStore<readonly OutboxRecord[]>([]),
  )
}

/** The outbox makes the call of a warden's note. An observer's goes another way, to the event of the link. */
function noting(token: string): Phone['call'] {
  const asObserver = callAsObserver(token)
  const note = (_: string, { body }: { body: NewNote }, extras: CallOptions) =>
    asObserver('POST /api/observe/entries', { body }, extras)
  return note as Phone['call']
}
