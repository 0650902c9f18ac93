import { getChannels, getChannelToken, pollEvent as pollEventCall } from '@evac/contract/calls/realtime.ts'
import type { FastifyInstance } from 'fastify'
import { serve, serveSelfGuarded } from '../../http/http.ts'
import { onDuty } from '../../wardens/actor.ts'
import { answerPoll, issueChannelToken, presentChannels } from './realtime.service.ts'

export async function realtimeRoutes(app: FastifyInstance) {
  serve(app, getChannels, ({ actor }) => presentChannels(actor))
  serve(app, getChannelToken, ({ actor }) => issueChannelToken(app, onDuty(actor)))
  serveSelfGuarded(app, pollEventCall, (ask) => answerPoll(app, ask))
}
