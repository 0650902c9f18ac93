import type { Calls } from '@evac/contract/calls.ts'
import { ApiError } from '@evac/contract/client.ts'
import type { ErrorCode } from '@evac/contract/errors.ts'
import type { CallInput } from '@evac/contract/route.ts'
import { idempotencyKeyHeader, observedAtHeader, sentAtHeader } from '@evac/contract/write-headers.ts'
import { call } from '../session/api.ts'
import { getAuth } from '../session/stored-auth.ts'
import {
  type OutboxRecord,
  type RecordKind,
  recordCalls,
  type SentRecord,
  type Setback,
  standingOf,
} from './outbox-record.ts'

/**
 * `stuck`: this record failed on the server's side, others may go. `not now`: nothing gets through, for want of an answer or
 * because the warden is not on duty.
 */
export type Delivery = { sent: SentRecord } | { setback: Setback } | 'stuck' | 'not now'

/** Kind and body belong together by the type of a record; the compiler loses that over `recordCalls[kind]`. */
type AnyInput = CallInput<Calls[(typeof recordCalls)[RecordKind]]>

/** One try of one record. The owner is looked at in the same breath as the token is taken: nobody sends for another. */
export async function deliver(record: OutboxRecord): Promise<Delivery> {
  const auth = getAuth()
  if (auth?.Person_UID !== record.owner) return 'not now'
  const standing = standingOf(record, auth)
  if (standing === 'later') return 'not now'
  if (standing === 'foreign') return { setback: 'other_event' }
  try {
    const reply = await call(recordCalls[record.kind], { body: record.body } as AnyInput, {
      headers: {
        [idempotencyKeyHeader]: record.key,
        [observedAtHeader]: new Date(record.observedAt).toISOString(),
        [sentAtHeader]: new Date().toISOString(),
      },
    })
    return { sent: { record, reply } as SentRecord }
  } catch (error) {
    return failureOf(error)
  }
}

const passing = [401, 408, 429]

/** Only an answer of our own server, in the 400s, ends a record; a proxy's error page or a captive portal does not. */
function failureOf(error: unknown): Delivery {
  if (!(error instanceof ApiError)) return 'stuck'
  // Off duty is not the end of a record: it goes on after Rejoin, and is turned down with `no_event` when the event is over.
  if (error.code === 'unreachable' || error.code === 'unavailable' || error.code === 'not_on_duty') return 'not now'
  if (passing.includes(error.status)) return 'not now'
  if (error.status >= 500) return 'stuck'
  return { setback: error.code satisfies ErrorCode }
}
