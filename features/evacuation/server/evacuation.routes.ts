import type { FastifyInstance } from 'fastify'
import { serve, serveSelfGuarded } from '#server/http/serve.ts'
import { Refusal } from '#server/platform/errors.ts'
import { absence, onDuty } from '#server/wardens/actor.ts'
import {
  changeBuilding as changeBuildingCall,
  changeFloor as changeFloorCall,
  getFloorData,
  listOccupants as listOccupantsCall,
  searchOccupants,
  setFloorStatus as setFloorStatusCall,
  setPersonStatus as setPersonStatusCall,
  toggleRefusal as toggleRefusalCall,
} from '../calls/evacuation.ts'
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

export async function evacuationRoutes(app: FastifyInstance) {
  serve(app, getFloorData, async ({ actor, input, readOften }) => {
    const reason = absence(actor)
    if (reason) return { error: reason, message: new Refusal(reason).message }
    const frame = await eventFrame(app, onDuty(actor))
    return readOften((tx) => floorData(tx, onDuty(actor), frame, input.query))
  })
  serve(app, searchOccupants, ({ actor, input, read }) =>
    read((tx) => listOccupants(tx, onDuty(actor), readOccupantRequest({ ...input.query, search: input.params.text }))),
  )
  // a search is planned for its text
  serve(app, listOccupantsCall, ({ actor, input, read, readOften }) =>
    (input.query.search ? read : readOften)((tx) => listOccupants(tx, onDuty(actor), readOccupantRequest(input.query))),
  )
  serve(app, changeFloorCall, async ({ actor, input, write, readOften }) => {
    await write((tx) => choosePlace(tx, onDuty(actor), input.body))
    const frame = await eventFrame(app, onDuty(actor))
    return readOften((tx) => chosenFloor(tx, onDuty(actor), frame, input.body))
  })
  serve(app, changeBuildingCall, async ({ actor, input, write, readOften }) => {
    await write((tx) => choosePlace(tx, onDuty(actor), input.body))
    const frame = await eventFrame(app, onDuty(actor))
    return readOften((tx) => chosenBuilding(tx, onDuty(actor), frame, input.body))
  })
  serveSelfGuarded(app, setFloorStatusCall, (write) => setFloorStatus(app, setFloorStatusCall, write))
  serveSelfGuarded(app, setPersonStatusCall, (write) =>
    recordPersonStatus(app, setPersonStatusCall, write, write.input.body),
  )
  serveSelfGuarded(app, toggleRefusalCall, (write) => toggleRefusal(app, toggleRefusalCall, write))
}
