import type { FastifyInstance } from 'fastify'
import { serve, serveSelfGuarded } from '#server/http/serve.ts'
import { Refusal } from '#server/platform/errors.ts'
import { absence, onDuty } from '#server/wardens/actor.ts'
import {
  getFloorOverview,
  listFloorlessPeople,
  listFloorPeople,
  searchEventPeople,
  setStatusOnFloor,
} from '../calls/floor-overview.ts'
import { floorlessPeople, floorOverview, floorPeople, searchEvent } from './floor-overview.service.ts'
import { readPageRequest } from './people-page.service.ts'
import { recordPersonStatus } from './person-status.service.ts'

export async function floorOverviewRoutes(app: FastifyInstance) {
  serve(app, getFloorOverview, async ({ actor, input, read }) => {
    const reason = absence(actor)
    if (reason) return { error: reason, message: new Refusal(reason).message }
    return read((tx) => floorOverview(tx, onDuty(actor), input.query.building_id))
  })
  serve(app, listFloorPeople, ({ actor, input, read }) =>
    read((tx) => floorPeople(tx, onDuty(actor), input.params.floorId, readPageRequest(input.query))),
  )
  serve(app, listFloorlessPeople, ({ actor, input, read }) =>
    read((tx) => floorlessPeople(tx, onDuty(actor), input.params.buildingId, readPageRequest(input.query))),
  )
  serve(app, searchEventPeople, ({ actor, input, read }) =>
    read((tx) => searchEvent(tx, onDuty(actor), input.params.text, readPageRequest(input.query))),
  )
  serveSelfGuarded(app, setStatusOnFloor, (write) => {
    const { id, status, floor } = write.input.body
    return recordPersonStatus(app, setStatusOnFloor, write, { personId: id, status, floorId: floor })
  })
}
