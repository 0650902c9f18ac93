import type { FastifyInstance } from 'fastify'
import { ownTransactions, routes } from '#server/http/routes.ts'
import * as calls from '../calls/assignments.ts'
import { answerAssignment, getOwnAssignment, presentPeeps } from './assignments.service.ts'
import { openDocument, presentDocuments } from './warden-documents.service.ts'

export const assignmentsRoutes = routes(calls, {
  listAssignmentPeeps: ownTransactions(async ({ app, actor, params, read }) => {
    const own = await getOwnAssignment(app.system, actor, params.wardenAssignmentUID)
    return read((tx) => presentPeeps(tx, actor, own), [own.clientUid])
  }),

  updateAssignmentStatus: ownTransactions(async ({ app, actor, body, write }) => {
    const own = await getOwnAssignment(app.system, actor, body.Warden_Assignment_UID)
    return write((tx) => answerAssignment(tx, actor, own, body), [own.clientUid])
  }),

  listDocuments: ownTransactions(async ({ app, actor, query, read }) => {
    const own = await getOwnAssignment(app.system, actor, query.wardenAssignmentUID)
    return read((tx) => presentDocuments(app, tx, actor, own), [own.clientUid])
  }),
})

export async function documentFiles(app: FastifyInstance) {
  app.get<{ Params: { uid: string }; Querystring: Record<string, unknown> }>(
    '/api/documents/:uid',
    {
      config: { policy: { access: 'public' } },
      schema: { summary: 'A stored document, by the link of a list' },
    },
    async ({ params, query }, reply) => {
      const { body, headers } = await openDocument(app, params.uid, query)
      return reply.headers(headers).send(body)
    },
  )
}
