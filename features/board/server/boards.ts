import { setTimeout as delay } from 'node:timers/promises'
import { listContradictions } from '#features/accounting/server/contradictions.queries.ts'
import { forBoard } from '#features/command/server/command-summary.ts'
import { countNotReached } from '#features/reach/server/who-has-answered.queries.ts'
import { listCalls } from '#features/self-report/server/calls-for-help.queries.ts'
import { ReadyAnswer } from '#server/http/ready-answer.ts'
import type { Services } from '#server/http/services.ts'
import type { Db } from '#server/platform/db/db.ts'
import { Refusal } from '#server/platform/errors.ts'
import type { Board, BoardPlaces } from '../calls/board.ts'
import { type BoardOf, findBoard, keyOf, ofOneMoment, readSlowPart } from './board.queries.ts'
import { type FastPart, presentBoard, secondsSince } from './present-board.ts'

/** A board as all its readers get it. */
export interface Snapshot {
  horizon: bigint
  board: Board
  places: BoardPlaces
  ready: ReadyAnswer<Board>
  readyPlaces: ReadyAnswer<BoardPlaces>
}

export type Boards = ReturnType<typeof openBoards>
type Needs = Pick<Services, 'db' | 'readInTurn' | 'noteFailure'>

/** The boards of this process. */
export function openBoards({ db, readInTurn, noteFailure }: Needs) {
  // readers share the work: it is done for those who wait, whoever of them has hung up
  const inTurn = <T>(read: () => Promise<T>) => readInTurn(() => false, read)
  const slowPart = keepSlowParts((of) => inTurn(() => readSlowPart(db, of)), noteFailure)

  async function makeSnapshot(of: BoardOf, before: Snapshot | undefined): Promise<Snapshot> {
    const [slow, fast] = await Promise.all([slowPart(of), inTurn(() => readFastPart(db, of))])
    const horizon = before && before.horizon > BigInt(fast.horizon) ? before.horizon : BigInt(fast.horizon)
    const { board, places } = presentBoard(of.eventUid, { ...fast, horizon: String(horizon) }, slow)
    return {
      horizon,
      board,
      places,
      ready: new ReadyAnswer(board),
      readyPlaces: new ReadyAnswer(places),
    }
  }

  return { read: keepSnapshots(makeSnapshot), slowPart }
}

/** Counts, coverage, contradictions, calls for help and command, all of one moment. A danger on a cleared floor must not wait for the slow part. */
function readFastPart(db: Db, of: BoardOf): Promise<FastPart> {
  return ofOneMoment(db, of, async (tx) => {
    const row = await findBoard(tx, of)
    if (!row) throw new Refusal('no_event')
    return {
      ...row,
      contradictions: await listContradictions(tx, of.clientUid, of.eventUid),
      calls: await listCalls(tx, of),
      command: await forBoard(tx, of, secondsSince(row.beganAt)),
      notReached: await countNotReached(tx, of),
    }
  })
}

/** A part is made anew when it is this old. Nobody waits for that. */
const renewMs = 10_000
/** Older than this it is not shown as it is: who reads first after a while waits for a new one. */
const staleMs = 15_000

interface Part<T> {
  made?: T
  begunAt: number
  making?: Promise<T>
}

/** What costs more than a snapshot and may be older, one for each event: made once in ten seconds, while somebody reads. */
function keepSlowParts<T>(make: (of: BoardOf) => Promise<T>, onTrouble: (error: unknown) => void) {
  const parts = new Map<string, Part<T>>()

  function renew(of: BoardOf, part: Part<T>): Promise<T> {
    const begin = async () => {
      part.begunAt = performance.now()
      part.made = await make(of)
      return part.made
    }
    part.making ??= begin().finally(() => {
      delete part.making
    })
    return part.making
  }

  function forgetOld(now: number) {
    for (const [key, { begunAt, making }] of parts) if (!making && now - begunAt > staleMs) parts.delete(key)
  }

  return async function read(of: BoardOf): Promise<T> {
    const key = keyOf(of)
    const now = performance.now()
    forgetOld(now)
    const part = parts.get(key) ?? { begunAt: now }
    parts.set(key, part)
    if (part.made === undefined) return renew(of, part)
    if (now - part.begunAt > renewMs) renew(of, part).catch(onTrouble)
    return part.made
  }
}

/** Milliseconds between the beginnings of two snapshots of one event: 100 boards cost one statement a second. */
const pauseMs = 1_000
/** No answer is older, as far as the database lets it. */
const oldestMs = 2_000
/** A snapshot that no one has read for so long is forgotten. */
const forgetMs = 60_000

/** Changes with a smaller offset than the horizon are in it, and in every later snapshot. */
interface Horizon {
  horizon: bigint
}

interface Kept<S> {
  snapshot: S
  begunAt: number
}

interface Line<S> {
  kept?: Kept<S>
  making?: Promise<Kept<S>>
  begunAt: number
  readAt: number
}

/**
 * Snapshots that all readers of this process share, one for each event. They are made only while someone reads, one at a
 * time, and at most one a second. No one needs the snapshot of another node: a reader names the newest offset that it has
 * heard, and gets a snapshot that has it.
 */
export function keepSnapshots<S extends Horizon>(make: (of: BoardOf, before: S | undefined) => Promise<S>) {
  const lines = new Map<string, Line<S>>()

  function lineOf(key: string): Line<S> {
    const now = performance.now()
    for (const [other, { readAt, making }] of lines) if (!making && now - readAt > forgetMs) lines.delete(other)
    const line = lines.get(key) ?? { begunAt: Number.NEGATIVE_INFINITY, readAt: now }
    line.readAt = now
    lines.set(key, line)
    return line
  }

  /** The next snapshot of the line. Anyone who comes during the pause before it begins gets one that begins after them. */
  function next(of: BoardOf, line: Line<S>): Promise<Kept<S>> {
    const begin = async () => {
      // a timer leaves out fractions of a millisecond, and would be early
      await delay(Math.max(0, Math.ceil(line.begunAt + pauseMs - performance.now())))
      line.begunAt = performance.now()
      const kept = { begunAt: line.begunAt, snapshot: await make(of, line.kept?.snapshot) }
      line.kept = kept
      return kept
    }
    line.making ??= begin().finally(() => {
      delete line.making
    })
    return line.making
  }

  /** A snapshot with all changes up to the offset `since`, if there are such changes. */
  return async function read(of: BoardOf, since?: bigint): Promise<S> {
    const askedAt = performance.now()
    const line = lineOf(keyOf(of))
    const isEnough = ({ snapshot, begunAt }: Kept<S>, ageMs: number) =>
      performance.now() - begunAt < ageMs && (since === undefined || since < snapshot.horizon)
    if (line.kept && isEnough(line.kept, pauseMs)) return line.kept.snapshot
    for (;;) {
      const kept = await next(of, line)
      // one that began after the question has all that could have been heard: a higher offset was never handed out
      if (kept.begunAt >= askedAt || isEnough(kept, oldestMs)) return kept.snapshot
    }
  }
}
