import { routes } from '#server/http/routes.ts'
import * as calls from '../../calls/invitations.ts'
import { accept, read } from './invitations.service.ts'

export const invitationsRoutes = routes(calls, {
  readInvitation: ({ app, body, network }) => read(app, body, network),
  acceptInvitation: ({ app, body, network }) => accept(app, body, network),
})
