import type { FastifyInstance } from 'fastify'
import { serve } from '#server/http/serve.ts'
import { onDuty } from '#server/wardens/actor.ts'
import { getAlarms } from '../../calls/alarms.ts'
import { alarmsSince } from './alarms.service.ts'

export async function alarmsRoutes(app: FastifyInstance) {
  serve(app, getAlarms, ({ actor, input, read }) => read((tx) => alarmsSince(tx, onDuty(actor), input.query)))
}
