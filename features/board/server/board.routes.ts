import type { FastifyInstance } from 'fastify'
import type { PlaceUid } from '#features/evacuation/server/tally.queries.ts'
import { serveReady } from '#server/http/ready-answer.ts'
import { type Read, serve } from '#server/http/serve.ts'
import { Refusal } from '#server/platform/errors.ts'
import { type Actor, absence, hasFlag, onDuty } from '#server/wardens/actor.ts'
import { getBoard, getBoardFloor, getBoardPlaces } from '../calls/board.ts'
import { endWall, listWalls, makeWall, readWall } from '../calls/walls.ts'
import { type Boards, openBoards } from './boards.ts'
import { presentPanel } from './panel.service.ts'
import { readWallBoard } from './walls/wall-board.service.ts'
import { limitOfToken } from './walls/wall-limits.ts'
import { endWallLink, keepWall, presentWalls, wallUrl } from './walls/walls.service.ts'

export async function boardRoutes(app: FastifyInstance) {
  const boards = openBoards(app)
  const key = app.secrets.walls
  serveReady(app, getBoard, ({ actor, input }) => readBoard(boards, actor, input.query.since))
  serveReady(app, getBoardPlaces, ({ actor }) => readPlaces(boards, actor))

  serve(app, getBoardFloor, ({ actor, input, read }) => readPanel(boards, actor, input.params.floorId, read))

  serve(app, listWalls, ({ actor, input, read }) => read((tx) => presentWalls(tx, actor, input.query.site)))
  serve(app, makeWall, async ({ actor, input, write }) => {
    const uid = await write((tx) => keepWall(tx, actor, input.body, key))
    // not part of the answer that is kept for a repeat
    return { uid, url: wallUrl(key, app.config.appUrl, uid) }
  })
  serve(app, endWall, ({ actor, input, write }) => write((tx) => endWallLink(tx, actor, input.params.uid)))
  serveReady(app, readWall, ({ input, network }) => readWallBoard(app, boards, input.body, network), {
    preHandler: limitOfToken(app),
  })
}

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

async function readPanel(boards: Boards, actor: Actor, placeUid: PlaceUid, read: Read) {
  const of = boardOf(actor)
  const slow = await boards.slowPart(of)
  const named = hasFlag(actor, 'Module_Evacuee_Safety')
  return read((tx) => presentPanel(tx, of, placeUid, { slow, named }))
}

async function readPlaces(boards: Boards, actor: Actor) {
  return noBoard(actor) ?? (await boards.read(boardOf(actor))).readyPlaces
}
