import type { Board } from '#features/board/calls/board.ts'
import { safetyStatuses } from '#kernel/vocabulary.ts'
import type { FinalState } from '../evidence/final-state.ts'
import type { BoardRead } from '../evidence/history.ts'
import { type Evidence, Inquiry, type Verdict } from './verdict.ts'

/** I12: each board adds up and has what its reader had heard, `horizon` only rises on a connection, and the last boards are the tables. */
export function boardsAreTrue({ history, state, lastBoards }: Evidence): Verdict {
  const inquiry = new Inquiry('I12', 'each board adds up and is no older than what was heard; the last are the tables')
  for (const { reader, since, board } of history.boards) {
    const who = `the board of ${reader} at ${board.at}`
    const { totals } = board
    const { safe, unknown, danger, total } = totals.people
    inquiry.check(safe + unknown + danger === total, `${who} does not add up`, board.event.id)
    for (const split of [totals.unknown_by_place, totals.unknown_by_cause])
      inquiry.check(sumOf(Object.values(split)) === unknown, `${who} splits unknown into another sum`, board.event.id)
    const isHeard = since !== undefined && since.channel === `event:${board.event.id}`
    if (isHeard)
      inquiry.check(Number(board.horizon) > since.offset, `${who} lacks publication ${since.offset}`, board.event.id)
  }
  for (const reads of Map.groupBy(history.boards, connectionOf).values())
    for (const [at, { reader, board }] of reads.entries()) {
      const before = reads[at - 1]?.board ?? board
      const rises = Number(board.horizon) >= Number(before.horizon)
      inquiry.check(rises, `the horizon of ${reader} fell from ${before.horizon} to ${board.horizon}`, board.event.id)
    }
  for (const board of lastBoards)
    for (const [name, [shown, counted]] of Object.entries(countsOf(board, state)))
      inquiry.check(shown === counted, `a board shows ${shown} ${name}, the tables hold ${counted}`, board.event.id)
  return inquiry.verdict
}

const connectionOf = ({ reader, connection, board }: BoardRead) => `${reader} ${connection} ${board.event.id}`
const sumOf = (all: readonly number[]) => all.reduce((sum, one) => sum + one, 0)

/** By name: what the board shows, and what the rows of people hold. */
function countsOf({ event, totals, floors }: Board, { evacuees }: FinalState): Record<string, [number, number]> {
  const people = evacuees.filter(({ eventUid, active }) => eventUid === event.id && active)
  return {
    ...Object.fromEntries(
      safetyStatuses.map((status) => [
        status,
        [totals.people[status], people.filter((one) => one.status === status).length],
      ]),
    ),
    refused: [totals.refused, people.filter(({ refused }) => refused).length],
    'in danger on floors': [
      sumOf(floors.map(({ danger = 0 }) => danger)),
      people.filter(({ status }) => status === 'danger').length,
    ],
  }
}
