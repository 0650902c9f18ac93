import type { FastifyInstance } from 'fastify'
import { serve } from '#server/http/serve.ts'
import { onDuty } from '#server/wardens/actor.ts'
import { askUnknown, countAsked, keepContradiction, listAccounted, listContradictions } from '../calls.ts'
import { accountedPage } from './account-list.service.ts'
import { askQuestion, countQuestion } from './ask.service.ts'
import { contradictionsPage, keep } from './contradictions.service.ts'

export async function accountingRoutes(app: FastifyInstance) {
  serve(app, listAccounted, ({ actor, input, read }) => read((tx) => accountedPage(tx, onDuty(actor), input.query)))
  serve(app, countAsked, ({ actor, input, read }) => read((tx) => countQuestion(app, tx, onDuty(actor), input.body)))
  serve(app, askUnknown, ({ actor, input, write }) => write((tx) => askQuestion(app, tx, onDuty(actor), input.body)))
  serve(app, listContradictions, ({ actor, input, read }) =>
    read((tx) => contradictionsPage(tx, onDuty(actor), input.query)),
  )
  serve(app, keepContradiction, ({ actor, input, write }) => write((tx) => keep(tx, onDuty(actor), input.body)))
}
