import { getChannels, getChannelToken, pollEvent as pollEventCall } from '@evac/contract/realtime.ts'
import type { FastifyInstance } from 'fastify'
import { onDuty } from '../../platform/actor.ts'
import { serve, serveSelfGuarded } from '../../platform/http.ts'
import { answerPoll, issueChannelToken, presentChannels } from './realtime.service.ts'

export async function realtimeRoutes(app: FastifyInstance) {
  serve(app, getChannels, ({ actor }) => presentChannels(actor) as never)
  serve(app, getChannelToken, ({ actor }) => issueChannelToken(app, onDuty(actor)))
  serveSelfGuarded(app, pollEventCall, (ask) => answerPoll(app, ask))
}
