import { ownTransactions, routes } from '#server/http/routes.ts'
import { selfGuarded } from '#server/http/serve.ts'
import { absence, onDuty } from '#server/wardens/actor.ts'
import * as calls from '../../calls/safety.ts'
import { readPageRequest } from '../people-page.service.ts'
import { recordPersonStatus } from '../person-status.service.ts'
import { areaFloors, evacueesPage, nobody, presentRecorded, safetyData } from './safety.service.ts'

export const safetyRoutes = routes(calls, {
  getSafetyData: ownTransactions(async ({ actor, read }) => {
    const reason = absence(actor)
    if (reason) return { ...nobody(reason), buildings: [], sms_allowed: actor.smsAllowed }
    return read((tx) => safetyData(tx, onDuty(actor)))
  }),
  filterEvacuees: ownTransactions(async ({ actor, query, body, read }) => {
    const reason = absence(actor)
    if (reason) return nobody(reason)
    return read((tx) => evacueesPage(tx, onDuty(actor), body, readPageRequest(query)))
  }),
  listAreaFloors: ownTransactions(async ({ actor, query, read }) => {
    const reason = absence(actor)
    if (reason) return { floors: [], floorsTotal: 0, error: reason }
    return read((tx) => areaFloors(tx, onDuty(actor), query.area))
  }),
  setEvacueeStatus: selfGuarded(async (write, { app, call }) => {
    const { evacueeId, status } = write.input.body
    return presentRecorded(await recordPersonStatus(app, call, write, { personId: evacueeId, status, floorId: null }))
  }),
  setEvacueeStatusByGet: selfGuarded(async (write, { app, call }) => {
    const { evacueeId, status } = write.input.query
    return presentRecorded(await recordPersonStatus(app, call, write, { personId: evacueeId, status, floorId: null }))
  }),
})
