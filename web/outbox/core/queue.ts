import { deliver } from './delivery.ts'
import type { Answer } from './delivery-result.ts'
import { isPending } from './may-send.ts'
import type { Phone } from './phone.ts'
import type { OutboxRecord } from './safety-record.ts'

/** Stores the result of a record that the server has answered. The queue is read again afterwards. */
export type Settle = (record: OutboxRecord, answer: Answer) => Promise<void>
/** `retry`: some records are still unanswered. */
export type Outcome = 'done' | 'retry'

/** This warden's pending records, in the order of the taps. */
export async function listQueue({ storage, session }: Phone): Promise<OutboxRecord[]> {
  const owner = session()?.Person_UID
  return (await storage.list()).filter((record) => record.owner === owner && isPending(record))
}

/** Sends the queue, one record at a time. */
export async function sendQueue(phone: Phone, settle: Settle, isOver: () => boolean): Promise<Outcome> {
  // A record on which the server fails delays only the records of the same person or floor.
  const stuck = new Set<string>()
  for (;;) {
    // 1. Choose the oldest record of a person or floor without a stuck record.
    const queue = await listQueue(phone)
    const next = queue.find(({ about }) => !stuck.has(about.id))
    if (!next || isOver()) return queue.length ? 'retry' : 'done'
    // 2. Mark it as tried: it can no longer be taken back. If it has just been taken back, start over.
    if (!next.tried && phone.isOnline() && !(await markTried(phone, next))) continue
    // 3. Send it once.
    const delivery = await deliver(next, phone)
    // 4. Store the result, or continue with other people, or stop until the next retry.
    if (delivery === 'not now') return 'retry'
    if (delivery === 'stuck') stuck.add(next.about.id)
    else await settle(next, delivery)
  }
}

const markTried = ({ storage }: Phone, { seq }: OutboxRecord) =>
  storage.look(seq, (record) => ({ ...record, tried: true }))
