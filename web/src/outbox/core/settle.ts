import { newKey } from '../../lib/new-key.ts'
import type { Answer } from './delivery.ts'
import type { RecordStorage } from './phone.ts'
import type { OutboxRecord, Setback } from './record.ts'
import { isReversed } from './standing.ts'

/** Moves a record on in the storage once the server has answered for it. */
export async function settle(storage: RecordStorage, record: OutboxRecord, answer: Answer): Promise<void> {
  const setback = setbackOf(answer)
  if (setback) await storage.put({ ...record, setback })
  else if ('acknowledged' in answer && isReversed(answer.acknowledged, await storage.list())) {
    const { seq, ...again } = record
    // The old key would be answered as before.
    await storage.replace(seq, { ...again, key: newKey() })
  } else await storage.remove(record.seq)
}

/** A superseded record counts for nothing, and the warden must learn that: somebody has seen danger since, or the event began later. */
function setbackOf(answer: Answer): Setback | null {
  if ('rejected' in answer) return answer.rejected
  const { reply } = answer.acknowledged
  if (!('superseded' in reply && reply.superseded)) return null
  return reply.person.status === 'danger' ? 'superseded' : 'before_event'
}
