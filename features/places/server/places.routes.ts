import type { FastifyInstance } from 'fastify'
import { serveConsole } from '#server/http/serve.ts'
import {
  addBuilding,
  addFloors,
  addSite,
  bringBackPlace,
  changePlace,
  listPlaces,
  movePlace,
  retirePlace,
} from '../calls.ts'
import { bringBack, change, makeBuilding, makeFloors, makeSite, move, retire } from './place-changes.service.ts'
import { presentPlaces } from './places.service.ts'

const done = { status: 'done' } as const

export async function placesRoutes(app: FastifyInstance) {
  const now = () => app.clock.now()
  serveConsole(app, listPlaces, ({ administrator, input, read }) =>
    read((tx) => presentPlaces(tx, administrator, input.query)),
  )
  serveConsole(app, addSite, ({ administrator, input, writeWithAccounts }) =>
    writeWithAccounts(async (tx) => ({ uid: await makeSite(tx, { administrator, now: now() }, input.body) })),
  )
  serveConsole(app, addBuilding, ({ administrator, input, writeWithAccounts }) =>
    writeWithAccounts(async (tx) => ({ uid: await makeBuilding(tx, { administrator, now: now() }, input.body) })),
  )
  serveConsole(app, addFloors, ({ administrator, input, writeWithAccounts }) =>
    writeWithAccounts(async (tx) => ({ uids: await makeFloors(tx, { administrator, now: now() }, input.body) })),
  )
  serveConsole(app, changePlace, async ({ administrator, input, writeWithAccounts }) => {
    await writeWithAccounts((tx) => change(tx, { administrator, now: now() }, input.params.uid, input.body))
    return done
  })
  serveConsole(app, movePlace, async ({ administrator, input, writeWithAccounts }) => {
    await writeWithAccounts((tx) => move(tx, { administrator, now: now() }, input.params.uid, input.body))
    return done
  })
  serveConsole(app, retirePlace, async ({ administrator, input, writeWithAccounts }) => {
    await writeWithAccounts((tx) => retire(tx, { administrator, now: now() }, input.params.uid))
    return done
  })
  serveConsole(app, bringBackPlace, async ({ administrator, input, writeWithAccounts }) => {
    await writeWithAccounts((tx) => bringBack(tx, { administrator, now: now() }, input.params.uid))
    return done
  })
}
