import type { Calls } from '@evac/contract/calls/calls.ts'
import type { ApiError } from '@evac/contract/client/client.ts'
import type { CallInput } from '@evac/contract/route.ts'
import { idempotencyKeyHeader, observedAtHeader, sentAtHeader } from '@evac/contract/write-headers.ts'
import type { Phone } from './phone.ts'
import { type OutboxRecord, type RecordKind, recordCalls, type SentRecord, type Setback } from './record.ts'
import { failureOf } from './retry.ts'
import { standingOf } from './standing.ts'

/** How the sending of a record ended. */
export type Answer = { acknowledged: SentRecord } | { rejected: Setback }
/**
 * `stuck`: the server failed on this record, others may go. `not now`: no record gets through, for want of an answer or
 * because the warden is not on duty.
 */
export type Delivery = Answer | 'stuck' | 'not now'

/** Kind and body belong together by the type of a record; the compiler loses that over `recordCalls[kind]`. */
type AnyInput = CallInput<Calls[(typeof recordCalls)[RecordKind]]>

/** One try of one record. Session and token are read in the same moment: no record is sent in another person's name. */
export async function deliver(
  record: OutboxRecord,
  { session, call, now }: Pick<Phone, 'session' | 'call' | 'now'>,
): Promise<Delivery> {
  const acting = session()
  if (acting?.Person_UID !== record.owner) return 'not now'
  const standing = standingOf(record, acting)
  if (standing === 'foreign') return { rejected: 'other_event' }
  if (standing === 'later') return 'not now'
  try {
    const reply = await call(recordCalls[record.kind], { body: record.body } as AnyInput, {
      headers: {
        [idempotencyKeyHeader]: record.key,
        [observedAtHeader]: new Date(record.observedAt).toISOString(),
        [sentAtHeader]: new Date(now()).toISOString(),
      },
    })
    return { acknowledged: { record, reply } as SentRecord }
  } catch (error) {
    const failure = failureOf(error)
    return failure === 'refused' ? { rejected: (error as ApiError).code as Setback } : failure
  }
}
