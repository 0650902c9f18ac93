import { reading, routes } from '#server/http/routes.ts'
import * as calls from '../calls.ts'
import { accountedPage } from './account-list.service.ts'
import { askQuestion, countQuestion } from './ask.service.ts'
import { contradictionsPage, keep } from './contradictions.service.ts'

export const accountingRoutes = routes(calls, {
  listAccounted: ({ tx, actor, query }) => accountedPage(tx, actor, query),
  countAsked: reading(({ tx, app, actor, body }) => countQuestion(app, tx, actor, body)),
  askUnknown: ({ tx, app, actor, body }) => askQuestion(app, tx, actor, body),
  listContradictions: ({ tx, actor, query }) => contradictionsPage(tx, actor, query),
  keepContradiction: ({ tx, actor, body }) => keep(tx, actor, body),
})
