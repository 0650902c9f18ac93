/** What an attacker knows: the address, one warden's session, and what that warden sees. */
export interface Target {
  url: string
  /** The attacker's only session. */
  token: string
  eventUid: string
  personUid: string
  floorUid: string
}

/**
 * An attack runs until `life` ends. It reports the outcome of each request or socket: a status, a close code or an
 * error.
 */
export type Attack = (target: Target, life: AbortSignal, tell: (outcome: string | number) => void) => Promise<unknown>

/** Runs `count` endless loops at the same time until `life` ends. */
export function loops(count: number, life: AbortSignal, turn: (loop: number) => Promise<unknown>) {
  return Promise.all(
    Array.from({ length: count }, async (_, loop) => {
      while (!life.aborted) await turn(loop)
    }),
  )
}
