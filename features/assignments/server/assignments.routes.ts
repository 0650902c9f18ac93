import type { FastifyInstance } from 'fastify'
import { serve } from '#server/http/serve.ts'
import { listAssignmentPeeps, listDocuments, updateAssignmentStatus } from '../calls/assignments.ts'
import { answerAssignment, getOwnAssignment, presentPeeps } from './assignments.service.ts'
import { openDocument, presentDocuments } from './warden-documents.service.ts'

export async function assignmentsRoutes(app: FastifyInstance) {
  serve(app, listAssignmentPeeps, async ({ actor, input, read }) => {
    const own = await getOwnAssignment(app.system, actor, input.params.wardenAssignmentUID)
    return read((tx) => presentPeeps(tx, actor, own), [own.clientUid])
  })

  serve(app, updateAssignmentStatus, async ({ actor, input, write }) => {
    const own = await getOwnAssignment(app.system, actor, input.body.Warden_Assignment_UID)
    return write((tx) => answerAssignment(tx, actor, own, input.body), [own.clientUid])
  })

  serve(app, listDocuments, async ({ actor, input, read }) => {
    const own = await getOwnAssignment(app.system, actor, input.query.wardenAssignmentUID)
    return read((tx) => presentDocuments(app, tx, own), [own.clientUid])
  })

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
