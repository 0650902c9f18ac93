import type { PlaceUid } from '#features/evacuation/server/tally.queries.ts'
import { ready } from '#server/http/ready-answer.ts'
import { type InTransaction, ownTransactions, routes } from '#server/http/routes.ts'
import { Refusal } from '#server/platform/errors.ts'
import { type Actor, absence, hasFlag, onDuty } from '#server/wardens/actor.ts'
import * as board from '../calls/board.ts'
import * as panel from '../calls/board-panel.ts'
import * as walls from '../calls/walls.ts'
import { type Boards, openBoards } from './boards.ts'
import { presentPanel } from './panel.service.ts'
import { limitOfToken, readWallBoard } from './walls/wall-board.service.ts'
import { endWallLink, keepWall, presentWalls, wallUrl } from './walls/walls.service.ts'

const calls = { ...board, ...panel, ...walls }

export const boardRoutes = routes(calls, (app) => {
  const boards = openBoards(app)
  const key = app.secrets.walls
  return {
    getBoard: ready(({ actor, query }) => readBoard(boards, actor, query.since)),
    getBoardPlaces: ready(({ actor }) => readPlaces(boards, actor)),

    getBoardFloor: ownTransactions(({ actor, params, read }) => readPanel(boards, actor, params.floorId, read)),

    listWalls: ({ tx, actor, query }) => presentWalls(tx, actor, query.site),
    makeWall: ownTransactions(async ({ actor, body, write }) => {
      const uid = await write((tx) => keepWall(tx, actor, body, key))
      // not part of the answer that is kept for a repeat
      return { uid, url: wallUrl(key, app.config.appUrl, uid) }
    }),
    endWall: ({ tx, actor, params }) => endWallLink(tx, actor, params.uid),
    readWall: ready(({ body, network }) => readWallBoard(app, boards, body, network), {
      preHandler: limitOfToken(app),
    }),
  }
})

/** Null and its reason, in the words of the building safety page, for who is not in an event. */
const noBoard = (actor: Actor) => {
  const reason = absence(actor)
  return reason && { status: 'error' as const, message: new Refusal(reason).message }
}

const boardOf = (actor: Actor) => ({ clientUid: actor.clientUid, eventUid: onDuty(actor).event.uid })

/** `since` is the newest offset that the reader has heard. */
async function readBoard(boards: Boards, actor: Actor, since: string | undefined) {
  return noBoard(actor) ?? (await boards.read(boardOf(actor), since === undefined ? undefined : BigInt(since))).ready
}

async function readPanel(boards: Boards, actor: Actor, placeUid: PlaceUid, read: InTransaction) {
  const of = boardOf(actor)
  const slow = await boards.slowPart(of)
  const named = hasFlag(actor, 'Module_Evacuee_Safety')
  return read((tx) => presentPanel(tx, of, placeUid, { slow, named }))
}

async function readPlaces(boards: Boards, actor: Actor) {
  return noBoard(actor) ?? (await boards.read(boardOf(actor))).readyPlaces
}
