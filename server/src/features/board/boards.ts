import type { Board, BoardPlaces } from '@evac/contract/calls/board.ts'
import { ReadyAnswer } from '../../http/ready-answer.ts'
import type { Services } from '../../http/services.ts'
import { inClients } from '../../platform/db/db.ts'
import { Refusal } from '../../platform/errors.ts'
import { findBoard } from './board.queries.ts'
import type { BoardOf } from './board-of.ts'
import { keepSnapshots } from './kept-snapshots.ts'
import { presentBoard } from './present-board.ts'
import { readSlowPart } from './slow.service.ts'
import { keepSlowParts } from './slow-parts.ts'

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

/** The boards of this process (C§11). */
export function openBoards({ db, readInTurn, noteFailure }: Needs) {
  // readers share the work: it is done for those who wait, whoever of them has hung up
  const inTurn = <T>(read: () => Promise<T>) => readInTurn(() => false, read)
  const slowPart = keepSlowParts((of) => inTurn(() => readSlowPart(db, of)), noteFailure)

  async function makeSnapshot(of: BoardOf): Promise<Snapshot> {
    const slow = await slowPart(of)
    const row = await inTurn(() => inClients(db, [of.clientUid], (tx) => findBoard(tx, of)))
    if (!row) throw new Refusal('no_event')
    const { board, places } = presentBoard(of.eventUid, row, slow)
    return {
      ...{ horizon: BigInt(board.horizon), board, places },
      ...{ ready: new ReadyAnswer(board), readyPlaces: new ReadyAnswer(places) },
    }
  }

  return { read: keepSnapshots(makeSnapshot), slowPart }
}
