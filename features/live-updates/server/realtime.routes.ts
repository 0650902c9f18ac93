import { ownTransactions, routes } from '#server/http/routes.ts'
import { selfGuarded } from '#server/http/serve.ts'
import * as calls from '../calls/realtime.ts'
import { answerPoll, issueChannelToken, presentChannels } from './realtime.service.ts'

export const realtimeRoutes = routes(calls, {
  getChannels: ownTransactions(({ app, actor }) => presentChannels(app, actor)),
  getChannelToken: ownTransactions(({ app, actor }) => issueChannelToken(app, actor)),
  pollEvent: selfGuarded((ask, { app }) => answerPoll(app, ask)),
})
