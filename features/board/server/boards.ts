import { listContradictions } from '#features/accounting/server/contradictions.queries.ts'
import { forBoard } from '#features/command/server/command-summary.ts'
import { listCalls } from '#features/self-report/server/calls-for-help.queries.ts'
import { ReadyAnswer } from '#server/http/ready-answer.ts'
import type { Services } from '#server/http/services.ts'
import type { Db } from '#server/platform/db/db.ts'
import { Refusal } from '#server/platform/errors.ts'
import type { Board, BoardPlaces } from '../calls/board.ts'
import { findBoard } from './board.queries.ts'
import { keepSnapshots } from './kept-snapshots.ts'
import { type BoardOf, ofOneMoment } from './one-moment.ts'
import { type FastPart, presentBoard, secondsSince } from './present-board.ts'
import { keepSlowParts, readSlowPart } from './slow-counts.ts'

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
      ...{ horizon, board, places },
      ...{ ready: new ReadyAnswer(board), readyPlaces: new ReadyAnswer(places) },
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
    }
  })
}
