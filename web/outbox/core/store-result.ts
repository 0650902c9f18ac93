import { newKey } from '../../lib/new-key.ts'
import type { Answer } from './delivery-result.ts'
import { isReversed } from './may-send.ts'
import type { RecordStorage } from './phone.ts'
import type { OutboxRecord, RejectionReason } from './safety-record.ts'

/** Stores the result of a record: deleted, rejected, or pending again. What is kept after the end is deleted here. */
export async function settle(storage: RecordStorage, record: OutboxRecord, answer: Answer): Promise<void> {
  const setback = setbackOf(answer)
  if (setback) await storage.put({ ...record, setback })
  else if ('acknowledged' in answer && isReversed(answer.acknowledged, await storage.list())) {
    const { seq, ...again } = record
    // The old key would get the same answer again.
    await storage.replace(seq, { ...again, key: newKey() })
  } else await storage.remove(record.seq)
}

/**
 * A superseded or overruled record counts as rejected, so that the warden sees why: someone saw danger or another status
 * of the floor since, or the event began later.
 */
function setbackOf(answer: Answer): RejectionReason | null {
  if ('rejected' in answer) return answer.rejected
  const { reply } = answer.acknowledged
  if ('overruled' in reply && reply.overruled) return 'overruled'
  if (!('superseded' in reply && reply.superseded)) return null
  return reply.person.status === 'danger' ? 'superseded' : 'before_event'
}
