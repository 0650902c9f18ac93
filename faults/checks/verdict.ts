import type { Board } from '#features/board/calls/board.ts'
import type { FinalState } from '../evidence/final-state.ts'
import type { History } from '../evidence/history.ts'
import type { UploadEvidence } from '../upload-during-event.ts'

/** What is known when nothing is pending any more. */
export interface Evidence {
  history: History
  state: FinalState
  /** By organisation: the status of each person in the last list that a phone read. */
  lastLists: Record<string, { eventUid: string; status: Map<string, string> }>
  /** One of each organisation with an event. */
  lastBoards: Board[]
  upload: UploadEvidence
}

export interface Broken {
  what: string
  /** The person, floor, event or key. The report lists what happened to it. */
  subject?: string | undefined
}

export interface Verdict {
  id: string
  promise: string
  /** Number of checks. Zero checks prove nothing. */
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
