import { ownTransactions, routes } from '#server/http/routes.ts'
import { selfGuarded } from '#server/http/serve.ts'
import { Refusal } from '#server/platform/errors.ts'
import { absence, onDuty } from '#server/wardens/actor.ts'
import * as calls from '../calls/floor-overview.ts'
import { floorlessPeople, floorOverview, floorPeople, searchEvent } from './floor-overview.service.ts'
import { readPageRequest } from './people-page.service.ts'
import { recordPersonStatus } from './person-status.service.ts'

export const floorOverviewRoutes = routes(calls, {
  getFloorOverview: ownTransactions(async ({ actor, query, read }) => {
    const reason = absence(actor)
    if (reason) return { error: reason, message: new Refusal(reason).message }
    return read((tx) => floorOverview(tx, onDuty(actor), query.building_id))
  }),
  listFloorPeople: ({ tx, actor, params, query }) => floorPeople(tx, actor, params.floorId, readPageRequest(query)),
  listFloorlessPeople: ({ tx, actor, params, query }) =>
    floorlessPeople(tx, actor, params.buildingId, readPageRequest(query)),
  searchEventPeople: ({ tx, actor, params, query }) => searchEvent(tx, actor, params.text, readPageRequest(query)),
  setStatusOnFloor: selfGuarded((write, { app, call }) => {
    const { id, status, floor } = write.input.body
    return recordPersonStatus(app, call, write, { personId: id, status, floorId: floor })
  }),
})
