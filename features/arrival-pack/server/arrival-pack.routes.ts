import type { FastifyInstance } from 'fastify'
import { plainPages } from '#kernel/plain-pages.ts'
import { servePlain, takePlainPages } from '#server/http/plain-pages.ts'
import { ownTransactions, routes } from '#server/http/routes.ts'
import * as calls from '../calls.ts'
import { endHazard, note, presentHazards } from './hazards.service.ts'
import { askReader, enter, readBuilding, readPack } from './open-pack.service.ts'
import { end, make, packUrl, presentPacks } from './packs.service.ts'

export const arrivalPackRoutes = routes(calls, {
  listHazards: ({ tx, actor }) => presentHazards(tx, actor),
  // an answer is read behind the change: what is kept for a repeat holds no words
  noteHazard: ownTransactions(async ({ actor, body, read, write }) => {
    await write((tx) => note(tx, actor, body))
    return read((tx) => presentHazards(tx, actor))
  }),
  endHazard: ownTransactions(async ({ actor, params, read, write }) => {
    await write((tx) => endHazard(tx, actor, params.uid))
    return read((tx) => presentHazards(tx, actor))
  }),
  listPacks: ({ tx, actor }) => presentPacks(tx, actor),
  makePack: ownTransactions(async ({ app, actor, body, write }) => {
    const key = app.secrets.packs
    const made = await write((tx) => make(tx, actor, key, body))
    return { ...made, url: packUrl(key, app.config.appUrl, made.uid) }
  }),
  endPack: ownTransactions(async ({ actor, params, read, write }) => {
    await write((tx) => end(tx, actor, params.uid))
    return read((tx) => presentPacks(tx, actor))
  }),
})

/** Pages without script, for the person who has the address. */
export async function packPages(app: FastifyInstance) {
  takePlainPages(app)
  servePlain(app, plainPages.openPack, (handling) => askReader(app, handling))
  servePlain(app, plainPages.enterPack, (handling) => enter(app, handling))
  servePlain(app, plainPages.readPack, (handling) => readPack(app, handling))
  servePlain(app, plainPages.readPackBuilding, (handling) => readBuilding(app, handling))
}
