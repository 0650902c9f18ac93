import type { PersonUid } from '@evac/contract/ids.ts'
import { type Answer, deliver } from './delivery.ts'
import type { Phone } from './phone.ts'
import type { OutboxRecord } from './record.ts'
import { isPending } from './standing.ts'

/** Moves a record on that the server has answered for. The queue is read anew afterwards. */
export type Settle = (record: OutboxRecord, answer: Answer) => Promise<void>
/** `later`: records are left that no answer has settled. */
export type Outcome = 'done' | 'later'

/** What is pending of this warden, in the order of the taps. */
export async function listQueue({ storage, session }: Phone): Promise<OutboxRecord[]> {
  const owner = session()?.Person_UID
  return (await storage.list()).filter((record) => record.owner === owner && isPending(record))
}

/** Sends the queue, one record at a time. */
export async function sendQueue(phone: Phone, settle: Settle, isOver: () => boolean): Promise<Outcome> {
  // A record that makes the server stumble must not hold up the people behind it; those of the same person wait.
  const stuck = new Set<PersonUid>()
  for (;;) {
    // 1. Take the oldest record that nothing holds up.
    const queue = await listQueue(phone)
    const next = queue.find(({ about }) => !stuck.has(about.id))
    if (!next || isOver()) return queue.length ? 'later' : 'done'
    // 2. Mark it as tried: from now on it cannot be taken back. It may have been a moment ago.
    if (!next.tried && phone.isOnline() && !(await markTried(phone, next))) continue
    // 3. Try once.
    const delivery = await deliver(next, phone)
    // 4. Settle it, go on with other people, or stop for now.
    if (delivery === 'not now') return 'later'
    if (delivery === 'stuck') stuck.add(next.about.id)
    else await settle(next, delivery)
  }
}

const markTried = ({ storage }: Phone, { seq }: OutboxRecord) =>
  storage.look(seq, (record) => ({ ...record, tried: true }))
