import type { Calls } from '@evac/contract/calls/calls.ts'
import type { ApiError } from '@evac/contract/client/client.ts'
import type { CallInput } from '@evac/contract/route.ts'
import { idempotencyKeyHeader, observedAtHeader, sentAtHeader } from '@evac/contract/write-headers.ts'
import type { Phone } from './phone.ts'
import { type OutboxRecord, type RecordKind, type RejectionReason, recordCalls, type SentRecord } from './record.ts'
import { failureOf } from './retry.ts'
import { standingOf } from './standing.ts'

/** How the sending of a record ended. */
export type Answer = { acknowledged: SentRecord } | { rejected: RejectionReason }
/**
 * `stuck`: the server failed on this record, but others may succeed. `not now`: no record can be sent, because the server
 * does not answer or the warden is not on duty.
 */
export type Delivery = Answer | 'stuck' | 'not now'

/** The type of a record ties its body to its kind. The compiler cannot follow that through `recordCalls[kind]`. */
type AnyInput = CallInput<Calls[(typeof recordCalls)[RecordKind]]>

/** Sends one record once. Reads session and token at the same moment, so that no record is sent in another person's name. */
export async function deliver(
  record: OutboxRecord,
  { session, call, now }: Pick<Phone, 'session' | 'call' | 'now'>,
): Promise<Delivery> {
  const acting = session()
  if (acting?.Person_UID !== record.owner) return 'not now'
  const standing = standingOf(record, acting)
  if (standing === 'foreign') return { rejected: 'other_event' }
  if (standing === 'not yet') return 'not now'
  try {
    const params = record.kind === 'note' && { params: { eventUid: record.about.id } }
    const reply = await call(recordCalls[record.kind], { ...params, body: record.body } as AnyInput, {
      headers: {
        [idempotencyKeyHeader]: record.key,
        [observedAtHeader]: new Date(record.observedAt).toISOString(),
        [sentAtHeader]: new Date(now()).toISOString(),
      },
    })
    return { acknowledged: { record, reply } as SentRecord }
  } catch (error) {
    const failure = failureOf(error)
    return failure === 'rejected' ? { rejected: (error as ApiError).code as RejectionReason } : failure
  }
}
