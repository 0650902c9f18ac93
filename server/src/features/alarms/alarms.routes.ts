import { getAlarms } from '@evac/contract/calls/alarms.ts'
import type { FastifyInstance } from 'fastify'
import { serve } from '../../http/http.ts'
import { onDuty } from '../../wardens/actor.ts'
import { alarmsSince } from './alarms.service.ts'

export async function alarmsRoutes(app: FastifyInstance) {
  serve(app, getAlarms, ({ actor, input, read }) => read((tx) => alarmsSince(tx, onDuty(actor), input.query)))
}
