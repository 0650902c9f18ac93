import {
  changeBuilding as changeBuildingCall,
  changeFloor as changeFloorCall,
  getFloorData,
  listOccupants as listOccupantsCall,
  searchOccupants,
  setFloorStatus as setFloorStatusCall,
  setPersonStatus as setPersonStatusCall,
  toggleRefusal as toggleRefusalCall,
} from '@evac/contract/evacuation.ts'
import type { FastifyInstance } from 'fastify'
import { absence, onDuty } from '../../platform/actor.ts'
import { Refusal } from '../../platform/errors.ts'
import { serve, serveSelfGuarded } from '../../platform/http.ts'
import {
  chooseBuilding,
  chooseFloor,
  chosenBuilding,
  chosenFloor,
  floorData,
  listOccupants,
  setFloorStatus,
} from './evacuation.service.ts'
import { readPageRequest } from './occupant-page.ts'
import { recordPersonStatus, toggleRefusal } from './person-status.service.ts'

export async function evacuationRoutes(app: FastifyInstance) {
  serve(app, getFloorData, async ({ actor, read }) => {
    const reason = absence(actor)
    if (reason) return { error: reason, message: new Refusal(reason).message }
    return read((tx) => floorData(tx, onDuty(actor)))
  })
  serve(app, searchOccupants, ({ actor, input, read }) =>
    read((tx) => listOccupants(tx, onDuty(actor), readPageRequest({ search: input.params.text }))),
  )
  serve(app, listOccupantsCall, ({ actor, input, read }) =>
    read((tx) => listOccupants(tx, onDuty(actor), readPageRequest(input.query))),
  )
  serve(app, changeFloorCall, async ({ actor, input, write, read }) => {
    const { floor } = input.body
    await write((tx) => chooseFloor(tx, onDuty(actor), floor))
    return read((tx) => chosenFloor(tx, onDuty(actor), floor)) as never
  })
  serve(app, changeBuildingCall, async ({ actor, input, write, read }) => {
    const { building } = input.body
    await write((tx) => chooseBuilding(tx, onDuty(actor), building))
    return read((tx) => chosenBuilding(tx, onDuty(actor), building))
  })
  serve(app, setFloorStatusCall, ({ actor, input, write }) =>
    write((tx) => setFloorStatus(tx, onDuty(actor), input.body)),
  )
  serveSelfGuarded(app, setPersonStatusCall, (write) =>
    recordPersonStatus(app, setPersonStatusCall, write, write.input.body),
  )
  serve(app, toggleRefusalCall, ({ actor, input, write }) =>
    write((tx) => toggleRefusal(tx, onDuty(actor), input.body, app.clock.now())),
  )
}
