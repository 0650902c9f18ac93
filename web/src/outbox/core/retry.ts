import { ApiError } from '@evac/contract/client/client.ts'

/** Milliseconds. */
const firstDelay = 1000
const longestDelay = 30_000

/**
 * Milliseconds until the next try after so many failures: 1 s, doubled up to 30 s. Thousands of phones come back together
 * after an outage: chance spreads them.
 */
export const pauseAfter = (failures: number): number =>
  Math.min(firstDelay * 2 ** failures, longestDelay) * (0.5 + Math.random() / 2)

/** Answers that end nothing. Off duty a write waits for Rejoin; once the event is over it is refused with `no_event`. */
const passing = [401, 408, 429, 'unreachable', 'unavailable', 'not_on_duty']

/**
 * `not now`: no write gets through at the moment. `stuck`: the server failed on this one, others may succeed. `refused`: the
 * same write would be refused again.
 */
export type Failure = 'not now' | 'stuck' | 'refused'

/** Only an answer of our own server, in the 400s, refuses; a proxy's error page or a captive portal does not. */
export function failureOf(error: unknown): Failure {
  if (!(error instanceof ApiError)) return 'stuck'
  if (passing.includes(error.status) || passing.includes(error.code)) return 'not now'
  return error.status >= 500 ? 'stuck' : 'refused'
}
