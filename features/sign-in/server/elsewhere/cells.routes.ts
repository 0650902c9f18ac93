import type { FastifyRequest } from 'fastify'
import { Value } from 'typebox/value'
import { routes } from '#server/http/routes.ts'
import { signed } from '#server/http/serve.ts'
import type { Services } from '#server/http/services.ts'
import { Refusal } from '#server/platform/errors.ts'
import * as calls from '../../calls/cells.ts'
import { Question } from '../cell-questions.ts'
import { sendLinkHere } from '../mobile-link.service.ts'
import { requestResetHere, resetsPasswords } from '../password-reset/password-reset.service.ts'
import { tryPassword } from '../sign-in.service.ts'

/** A question that opens with the key of the cells is signed by it. */
export const cellRoutes = routes(calls, (app) => {
  const questions = new WeakMap<FastifyRequest, Question>()
  const isSigned = (request: FastifyRequest) => {
    const asked = app.cells?.read(request.body)
    if (!Value.Check(Question, asked)) return false
    questions.set(request, asked)
    return true
  }
  return {
    answerCell: signed(isSigned, async ({ body, request }) => {
      const question = questions.get(request)
      if (!app.cells || !question) throw new Refusal('forbidden')
      const answer = await answerTo(app, question)
      app.announce()
      return { sealed: app.cells.answer(body.sealed, answer) }
    }),
  }
})

/** Asks no further cell, so that two directories that disagree make no circle. */
async function answerTo(app: Services, question: Question): Promise<object> {
  const { network } = question
  if (question.what === 'password') {
    const { opened } = await tryPassword(app, question, { network, device: undefined })
    return { fits: opened.length > 0 }
  }
  if (question.what === 'link') return { reply: (await sendLinkHere(app, question.phone, network)) ?? null }
  if (resetsPasswords(app.config)) await requestResetHere(app, question.email, network)
  return { accepted: true }
}
