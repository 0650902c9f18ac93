import { queryOptions } from '@tanstack/react-query'
import { call } from '#web/session/api.ts'
import { eventFlags } from '#web/session/event-flags.ts'
import { applySignInLog } from '#web/session/sign-in-log.ts'
import { getAuth, type StoredAuth, updateAuth } from '#web/session/stored-auth.ts'
import type { SignInRecord } from '../calls/report-in.ts'

/** Asked anew each time the screen opens: what is decided here must rest on the present. */
const neverKept = { gcTime: 0, staleTime: 0, meta: { private: true, anyEvent: true } } as const

export const reportQuery = ({ Warden_Assignment_UID }: StoredAuth) =>
  queryOptions({
    queryKey: ['event', 'report', Warden_Assignment_UID],
    queryFn: ({ signal }) => call('POST /api/reportin/index', {}, { signal }),
    select: ({ data }) => data,
    ...neverKept,
  })

/** Writes a log row, so it is asked once per visit and never on its own. */
export const signInRecordQuery = ({ Warden_Assignment_UID }: StoredAuth) =>
  queryOptions({
    queryKey: ['sign-in-record', Warden_Assignment_UID],
    queryFn: logAndKeepStep,
    ...neverKept,
    staleTime: Number.POSITIVE_INFINITY,
  })

/** The answer keeps stored auth in step with the server. */
async function logAndKeepStep(): Promise<SignInRecord> {
  const before = getAuth()
  const record = await call('POST /api/warden/signin', {
    body: before?.peer_email ? { peer_email: before.peer_email } : null,
  })
  applySignInLog(before, record, '/reportin')
  return record
}

interface TurnedDown {
  error: string
  message: string
}

/** Answers why not, or null once on duty. */
export async function goOnDuty(): Promise<TurnedDown | null> {
  const reply = await call('POST /api/warden/reportin', {})
  if ('error' in reply) return reply
  updateAuth({ on_duty: true, event: eventFlags('start') })
  return null
}

export const goNotAvailable = () => call('POST /api/warden/reportna', {})
