import { ownTransactions, routes, withAccounts } from '#server/http/routes.ts'
import * as calls from '../calls.ts'
import { bringBack, change, makeBuilding, makeFloors, makeSite, move, retire } from './place-changes.service.ts'
import { presentPlaces } from './places.service.ts'

const done = { status: 'done' } as const

export const placesRoutes = routes(calls, {
  listPlaces: ({ tx, administrator, query }) => presentPlaces(tx, administrator, query),
  addSite: withAccounts(async ({ tx, administrator, body, now }) => ({
    uid: await makeSite(tx, { administrator, now }, body),
  })),
  addBuilding: withAccounts(async ({ tx, administrator, body, now }) => ({
    uid: await makeBuilding(tx, { administrator, now }, body),
  })),
  addFloors: withAccounts(async ({ tx, administrator, body, now }) => ({
    uids: await makeFloors(tx, { administrator, now }, body),
  })),
  changePlace: ownTransactions(async ({ administrator, params, body, now, writeWithAccounts }) => {
    await writeWithAccounts((tx) => change(tx, { administrator, now }, params.uid, body))
    return done
  }),
  movePlace: ownTransactions(async ({ administrator, params, body, now, writeWithAccounts }) => {
    await writeWithAccounts((tx) => move(tx, { administrator, now }, params.uid, body))
    return done
  }),
  retirePlace: ownTransactions(async ({ administrator, params, now, writeWithAccounts }) => {
    await writeWithAccounts((tx) => retire(tx, { administrator, now }, params.uid))
    return done
  }),
  bringBackPlace: ownTransactions(async ({ administrator, params, now, writeWithAccounts }) => {
    await writeWithAccounts((tx) => bringBack(tx, { administrator, now }, params.uid))
    return done
  }),
})
