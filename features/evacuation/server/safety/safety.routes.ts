import type { FastifyInstance } from 'fastify'
import { serve, serveSelfGuarded } from '#server/http/serve.ts'
import { absence, onDuty } from '#server/wardens/actor.ts'
import {
  filterEvacuees,
  getSafetyData,
  listAreaFloors,
  setEvacueeStatus,
  setEvacueeStatusByGet,
} from '../../calls/safety.ts'
import { readPageRequest } from '../people-page.service.ts'
import { recordPersonStatus } from '../person-status.service.ts'
import { areaFloors, evacueesPage, nobody, presentRecorded, safetyData } from './safety.service.ts'

export async function safetyRoutes(app: FastifyInstance) {
  serve(app, getSafetyData, async ({ actor, read }) => {
    const reason = absence(actor)
    if (reason) return { ...nobody(reason), buildings: [], sms_allowed: actor.smsAllowed }
    return read((tx) => safetyData(tx, onDuty(actor)))
  })
  serve(app, filterEvacuees, async ({ actor, input, read }) => {
    const reason = absence(actor)
    if (reason) return nobody(reason)
    return read((tx) => evacueesPage(tx, onDuty(actor), input.body, readPageRequest(input.query)))
  })
  serve(app, listAreaFloors, async ({ actor, input, read }) => {
    const reason = absence(actor)
    if (reason) return { floors: [], floorsTotal: 0, error: reason }
    return read((tx) => areaFloors(tx, onDuty(actor), input.query.area))
  })
  serveSelfGuarded(app, setEvacueeStatus, async (write) => {
    const { evacueeId, status } = write.input.body
    return presentRecorded(
      await recordPersonStatus(app, setEvacueeStatus, write, { personId: evacueeId, status, floorId: null }),
    )
  })
  serveSelfGuarded(app, setEvacueeStatusByGet, async (write) => {
    const { evacueeId, status } = write.input.query
    return presentRecorded(
      await recordPersonStatus(app, setEvacueeStatusByGet, write, { personId: evacueeId, status, floorId: null }),
    )
  })
}
