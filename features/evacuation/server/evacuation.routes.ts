import { ownTransactions, routes } from '#server/http/routes.ts'
import { selfGuarded } from '#server/http/serve.ts'
import { Refusal } from '#server/platform/errors.ts'
import { absence, onDuty } from '#server/wardens/actor.ts'
import * as calls from '../calls/evacuation.ts'
import {
  choosePlace,
  chosenBuilding,
  chosenFloor,
  eventFrame,
  floorData,
  listOccupants,
  setFloorStatus,
} from './evacuation.service.ts'
import { readOccupantRequest } from './occupant-page.ts'
import { recordPersonStatus, toggleRefusal } from './person-status.service.ts'

export const evacuationRoutes = routes(calls, {
  getFloorData: ownTransactions(async ({ app, actor, query, readOften }) => {
    const reason = absence(actor)
    if (reason) return { error: reason, message: new Refusal(reason).message }
    const frame = await eventFrame(app, onDuty(actor))
    return readOften((tx) => floorData(tx, onDuty(actor), frame, query))
  }),
  searchOccupants: ({ tx, actor, params, query }) =>
    listOccupants(tx, actor, readOccupantRequest({ ...query, search: params.text })),
  // a search is planned for its text
  listOccupants: ownTransactions(({ actor, query, read, readOften }) =>
    (query.search ? read : readOften)((tx) => listOccupants(tx, actor, readOccupantRequest(query))),
  ),
  changeFloor: ownTransactions(async ({ app, actor, body, readOften, write }) => {
    await write((tx) => choosePlace(tx, actor, body))
    const frame = await eventFrame(app, actor)
    return readOften((tx) => chosenFloor(tx, actor, frame, body))
  }),
  changeBuilding: ownTransactions(async ({ app, actor, body, readOften, write }) => {
    await write((tx) => choosePlace(tx, actor, body))
    const frame = await eventFrame(app, actor)
    return readOften((tx) => chosenBuilding(tx, actor, frame, body))
  }),
  setFloorStatus: selfGuarded((write, { app, call }) => setFloorStatus(app, call, write)),
  setPersonStatus: selfGuarded((write, { app, call }) => recordPersonStatus(app, call, write, write.input.body)),
  toggleRefusal: selfGuarded((write, { app, call }) => toggleRefusal(app, call, write)),
})
