import { ApiError } from '#kernel/client/client.ts'

/** Milliseconds. */
const firstDelay = 1000
const longestDelay = 30_000

/**
 * Milliseconds until the next try: 1 s, doubled after each failure up to 30 s. Random, so that thousands of phones do not
 * return at the same moment after an outage.
 */
export const pauseAfter = (failures: number): number =>
  Math.min(firstDelay * 2 ** failures, longestDelay) * (0.5 + Math.random() / 2)

/** Temporary answers. Off duty a record stays pending until Rejoin. After the event it is rejected with `no_event`. */
const passing = [401, 408, 429, 'unreachable', 'unavailable', 'not_on_duty']

/**
 * `not now`: no write can succeed at the moment. `stuck`: the server failed on this one, but others may succeed.
 * `rejected`: the same write would be rejected again.
 */
export type Failure = 'not now' | 'stuck' | 'rejected'

/** Only a 4xx answer of our own server rejects a record. An error page of a proxy or a captive portal does not. */
export function failureOf(error: unknown): Failure {
  if (!(error instanceof ApiError)) return 'stuck'
  if (passing.includes(error.status) || passing.includes(error.code)) return 'not now'
  return error.status >= 500 ? 'stuck' : 'rejected'
}
