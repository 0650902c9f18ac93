import type { FinalState } from '../evidence/final-state.ts'
import type { History } from '../evidence/history.ts'

/** What is known when all has come to rest. */
export interface Evidence {
  history: History
  state: FinalState
  /** By organisation: the status of each person as the phones' last lists show it. */
  lastLists: Record<string, { eventUid: string; status: Map<string, string> }>
}

export interface Broken {
  what: string
  /** The person, floor, event or key it is about, for telling what happened to it. */
  subject?: string | undefined
}

export interface Verdict {
  id: string
  promise: string
  /** How many things were looked at. Nothing looked at proves nothing. */
  checked: number
  broken: Broken[]
}

export class Inquiry {
  readonly #verdict: Verdict

  constructor(id: string, promise: string) {
    this.#verdict = { id, promise, checked: 0, broken: [] }
  }

  check(isKept: boolean, what: string | (() => string), subject?: string): void {
    this.#verdict.checked++
    if (!isKept) this.#verdict.broken.push({ what: typeof what === 'string' ? what : what(), subject })
  }

  get verdict(): Verdict {
    return this.#verdict
  }
}
