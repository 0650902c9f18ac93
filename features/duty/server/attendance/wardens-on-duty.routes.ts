import type { FastifyInstance } from 'fastify'
import { serve } from '#server/http/serve.ts'
import { Refusal } from '#server/platform/errors.ts'
import { absence, onDuty } from '#server/wardens/actor.ts'
import { chooseBuilding as chooseBuildingCall, getBuildingStatus, listWardensOnDuty } from '../../calls/attendance.ts'
import { buildingStatus, chooseBuilding, wardensOnDuty } from './wardens-on-duty.service.ts'

export async function attendanceRoutes(app: FastifyInstance) {
  serve(app, getBuildingStatus, async ({ actor, read }) => {
    const reason = absence(actor)
    if (reason) return { status: reason, message: reason === 'no_event' ? 'NO EVENT' : new Refusal(reason).message }
    return read((tx) => buildingStatus(tx, onDuty(actor)))
  })
  serve(app, chooseBuildingCall, ({ actor, input, write }) =>
    write((tx) => chooseBuilding(tx, onDuty(actor), input.body.buildingId)),
  )
  serve(app, listWardensOnDuty, async ({ actor, input, read }) => {
    const reason = absence(actor)
    if (reason) return { error: reason, message: new Refusal(reason).message, buildings: [], roles: [] }
    return read((tx) => wardensOnDuty(tx, onDuty(actor), input.query.building_id))
  })
}
