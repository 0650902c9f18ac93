import { getChannels, getChannelToken, pollEvent as pollEventCall } from '@evac/contract/realtime.ts'
import type { FastifyInstance } from 'fastify'
import { onDuty } from '../../platform/actor.ts'
import { serve } from '../../platform/http.ts'
import { issueChannelToken, pollEvent, presentChannels } from './realtime.service.ts'

export async function realtimeRoutes(app: FastifyInstance) {
  serve(app, getChannels, ({ actor }) => presentChannels(actor) as never)
  serve(app, getChannelToken, ({ actor }) => issueChannelToken(app, onDuty(actor)))
  serve(app, pollEventCall, ({ actor, read }) => read((tx) => pollEvent(tx, actor)))
}
