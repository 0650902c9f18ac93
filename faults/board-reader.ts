import { setTimeout as delay } from 'node:timers/promises'
import { type Board, getBoard } from '#features/board/calls/board.ts'
import { reportIn } from '#features/duty/calls/report-in.ts'
import type { Random } from '../rig/random.ts'
import type { Session } from './session.ts'

/** An event manager with the command board open. Each answer goes to the history. */
export class BoardReader {
  readonly #session: Session
  readonly #random: Random
  /** Answers since the last one that was lost or refused. */
  #connection = 0

  constructor(session: Session, random: Random) {
    this.#session = session
    this.#random = random
  }

  async live(stop: AbortSignal): Promise<void> {
    while (!stop.aborted) {
      if (this.#session.isSignedOut) await this.#session.signIn(stop)
      const board = await this.read()
      // a manager who has not started the event reports in to it
      if (!board) await this.#session.read(reportIn, {})
      await delay(this.#random.between(300, 2_000))
    }
  }

  /** Undefined without an answer or an event. */
  async read(): Promise<Board | undefined> {
    const { who, history } = this.#session
    const since = history.newestHeard(who.organisation)
    const board = await this.#session.read(getBoard, { query: since ? { since: String(since.offset) } : {} })
    if (!board || 'status' in board) {
      this.#connection++
      return undefined
    }
    history.boards.push({ reader: who.name, connection: this.#connection, since, board })
    return board
  }
}
