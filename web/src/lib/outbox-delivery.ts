import { ApiError } from '@evac/contract/client.ts'
import type { ErrorCode } from '@evac/contract/errors.ts'
import type { CallInput } from '@evac/contract/route.ts'
import { idempotencyKeyHeader, observedAtHeader, sentAtHeader } from '@evac/contract/write-headers.ts'
import { call } from './api.ts'
import {
  isForeign,
  type OutboxRecord,
  type RecordKind,
  recordCalls,
  type SentRecord,
  type Setback,
} from './outbox-record.ts'
import { getAuth } from './stored-auth.ts'

/** `stuck`: this record failed on the server's side, others may go. `unreachable`: nothing gets through now. */
export type Delivery = { sent: SentRecord } | { setback: Setback } | 'stuck' | 'unreachable'

/** Kind and body belong together by the type of a record; the compiler loses that over `recordCalls[kind]`. */
type AnyInput = CallInput<(typeof recordCalls)[RecordKind]>

/** One try of one record. The owner is looked at in the same breath as the token is taken: nobody sends for another. */
export async function deliver(record: OutboxRecord): Promise<Delivery> {
  const auth = getAuth()
  if (auth?.Person_UID !== record.owner) return 'unreachable'
  if (isForeign(record, auth.WardenSignInUID)) return { setback: 'other_event' }
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
  if (error.code === 'unreachable' || error.code === 'unavailable' || passing.includes(error.status))
    return 'unreachable'
  if (error.status >= 500) return 'stuck'
  return { setback: error.code satisfies ErrorCode }
}
