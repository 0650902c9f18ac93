import type { FastifyInstance } from 'fastify'
import { serveReady } from '#server/http/ready-answer.ts'
import { serve } from '#server/http/serve.ts'
import { getBoard, getBoardFloor, getBoardPlaces } from '../calls/board.ts'
import { endWall, listWalls, makeWall, readWall } from '../calls/walls.ts'
import { readBoard, readPanel, readPlaces } from './board.service.ts'
import { openBoards } from './boards.ts'
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
