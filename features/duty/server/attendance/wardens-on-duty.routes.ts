import { ownTransactions, routes } from '#server/http/routes.ts'
import { Refusal } from '#server/platform/errors.ts'
import { absence, onDuty } from '#server/wardens/actor.ts'
import * as calls from '../../calls/attendance.ts'
import { buildingStatus, chooseBuilding, wardensOnDuty } from './wardens-on-duty.service.ts'

export const attendanceRoutes = routes(calls, {
  getBuildingStatus: ownTransactions(async ({ actor, read }) => {
    const reason = absence(actor)
    if (reason) return { status: reason, message: reason === 'no_event' ? 'NO EVENT' : new Refusal(reason).message }
    return read((tx) => buildingStatus(tx, onDuty(actor)))
  }),
  chooseBuilding: ({ tx, actor, body }) => chooseBuilding(tx, actor, body.buildingId),
  listWardensOnDuty: ownTransactions(async ({ actor, query, read }) => {
    const reason = absence(actor)
    if (reason) return { error: reason, message: new Refusal(reason).message, buildings: [], roles: [] }
    return read((tx) => wardensOnDuty(tx, onDuty(actor), query.building_id))
  }),
})
