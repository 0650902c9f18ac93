import type { FastifyInstance } from 'fastify'
import { serve } from '#server/http/serve.ts'
import { acceptInvitation, readInvitation } from '../../calls/invitations.ts'
import { accept, read } from './invitations.service.ts'

export async function invitationsRoutes(app: FastifyInstance) {
  serve(app, readInvitation, ({ input, network }) => read(app, input.body, network))
  serve(app, acceptInvitation, ({ input, network }) => accept(app, input.body, network))
}
