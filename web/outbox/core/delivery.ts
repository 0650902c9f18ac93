import type { Calls } from '#features/calls.ts'
import type { ApiError } from '#kernel/client/client.ts'
import type { CallInput } from '#kernel/route.ts'
import { idempotencyKeyHeader, observedAtHeader, sentAtHeader } from '#kernel/write-headers.ts'
import type { Delivery } from './delivery-result.ts'
import { standingOf } from './may-send.ts'
import type { Phone } from './phone.ts'
import { failureOf } from './retry.ts'
import {
  type OutboxRecord,
  type RecordKind,
  type RejectionReason,
  recordCalls,
  type SentRecord,
} from './safety-record.ts'

/** The type of a record ties its body to its kind. The compiler cannot follow that through `recordCalls[kind]`. */
type AnyInput = CallInput<Calls[(typeof recordCalls)[RecordKind]]>

/** Sends one record once. Reads session and token at the same moment, so that no record is sent in another person's name. */
export async function deliver(
  record: OutboxRecord,
  phone: Pick<Phone, 'session' | 'call' | 'now' | 'onKept'>,
): Promise<Delivery> {
  const acting = phone.session()
  if (acting?.Person_UID !== record.owner) return 'not now'
  /** A chunk of its own: few phones ever need it. If it cannot be loaded the sender tries again. */
  const afterTheEnd = (rejected: RejectionReason) =>
    import('./late-delivery.ts').then(({ deliverLate }) => deliverLate(record, phone, { rejected }))
  const standing = standingOf(record, acting)
  if (standing === 'foreign') return afterTheEnd('other_event')
  if (standing === 'not yet') return 'not now'
  try {
    // only the path of a note has a parameter
    const params = { eventUid: record.about.id }
    const reply = await phone.call(recordCalls[record.kind], { params, body: record.body } as AnyInput, {
      headers: {
        [idempotencyKeyHeader]: record.key,
        [observedAtHeader]: new Date(record.observedAt).toISOString(),
        [sentAtHeader]: new Date(phone.now()).toISOString(),
      },
    })
    return { acknowledged: { record, reply } as SentRecord }
  } catch (error) {
    const failure = failureOf(error)
    if (failure !== 'rejected') return failure
    const { code } = error as ApiError
    // a late record takes the key: if its answer was lost, the server has kept it already
    const isOver = code === 'no_event' || code === 'idempotency_conflict'
    return isOver ? afterTheEnd(code as RejectionReason) : { rejected: code as RejectionReason }
  }
}
