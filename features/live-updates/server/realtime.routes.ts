import type { FastifyInstance } from 'fastify'
import { serve, serveSelfGuarded } from '#server/http/serve.ts'
import { onDuty } from '#server/wardens/actor.ts'
import { getChannels, getChannelToken, pollEvent as pollEventCall } from '../calls/realtime.ts'
import { answerPoll, issueChannelToken, presentChannels } from './realtime.service.ts'

export async function realtimeRoutes(app: FastifyInstance) {
  serve(app, getChannels, ({ actor }) => presentChannels(app, actor))
  serve(app, getChannelToken, ({ actor }) => issueChannelToken(app, onDuty(actor)))
  serveSelfGuarded(app, pollEventCall, (ask) => answerPoll(app, ask))
}
