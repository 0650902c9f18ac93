/** What an attacker knows: the address, one warden's session, and what that warden sees. */
export interface Target {
  url: string
  /** The attacker's only session. */
  token: string
  eventUid: string
  personUid: string
  floorUid: string
}

/** An attack runs until `life` ends. It tells of each thing done how it went: a status, a close code, an error. */
export type Attack = (target: Target, life: AbortSignal, tell: (outcome: string | number) => void) => Promise<unknown>

/** Runs so many endless loops at once; one that fails pauses, so that a refusal never makes the attacker spin. */
export function loops(count: number, life: AbortSignal, turn: (loop: number) => Promise<unknown>) {
  return Promise.all(
    Array.from({ length: count }, async (_, loop) => {
      while (!life.aborted) await turn(loop)
    }),
  )
}
