import type { FastifyInstance } from 'fastify'
import { plainPages } from '#kernel/plain-pages.ts'
import { servePlain, takePlainPages } from '#server/http/plain-pages.ts'
import { serve } from '#server/http/serve.ts'
import { onDuty } from '#server/wardens/actor.ts'
import { endHazard as endHazardCall, endPack, listHazards, listPacks, makePack, noteHazard } from '../calls.ts'
import { endHazard, note, presentHazards } from './hazards.service.ts'
import { askReader, enter, readBuilding, readPack } from './open-pack.service.ts'
import { end, make, packUrl, presentPacks } from './packs.service.ts'

export async function arrivalPackRoutes(app: FastifyInstance) {
  serve(app, listHazards, ({ actor, read }) => read((tx) => presentHazards(tx, onDuty(actor))))
  // an answer is read behind the change: what is kept for a repeat holds no words
  serve(app, noteHazard, async ({ actor, input, read, write }) => {
    await write((tx) => note(tx, onDuty(actor), input.body))
    return read((tx) => presentHazards(tx, onDuty(actor)))
  })
  serve(app, endHazardCall, async ({ actor, input, read, write }) => {
    await write((tx) => endHazard(tx, onDuty(actor), input.params.uid))
    return read((tx) => presentHazards(tx, onDuty(actor)))
  })
  serve(app, listPacks, ({ actor, read }) => read((tx) => presentPacks(tx, onDuty(actor))))
  serve(app, makePack, async ({ actor, input, write }) => {
    const key = app.secrets.packs
    const made = await write((tx) => make(tx, onDuty(actor), key, input.body))
    return { ...made, url: packUrl(key, app.config.appUrl, made.uid) }
  })
  serve(app, endPack, async ({ actor, input, read, write }) => {
    await write((tx) => end(tx, onDuty(actor), input.params.uid))
    return read((tx) => presentPacks(tx, onDuty(actor)))
  })
  await app.register(packPages)
}

/** Pages without script, for the person who has the address. */
async function packPages(app: FastifyInstance) {
  takePlainPages(app)
  servePlain(app, plainPages.openPack, (handling) => askReader(app, handling))
  servePlain(app, plainPages.enterPack, (handling) => enter(app, handling))
  servePlain(app, plainPages.readPack, (handling) => readPack(app, handling))
  servePlain(app, plainPages.readPackBuilding, (handling) => readBuilding(app, handling))
}
