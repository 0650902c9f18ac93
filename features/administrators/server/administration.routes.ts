import type { FastifyInstance } from 'fastify'
import { invitationLink } from '#features/sign-in/server/invitations/invitations.service.ts'
import { serve, serveConsole } from '#server/http/serve.ts'
import {
  appointAdministrator,
  listAdministrators,
  resetSecondFactor,
  revokeAdministrator,
} from '../calls/administrators.ts'
import { setUp } from '../calls/set-up.ts'
import { appoint, list, resetFactor, revoke } from './administrators.service.ts'
import { makeFirst } from './set-up.service.ts'

export async function administrationRoutes(app: FastifyInstance) {
  const { config, jobs, secrets, clock } = app
  const appointing = () => ({ config, jobs, secrets, now: clock.now() })
  serve(app, setUp, ({ input, network }) => makeFirst(app, input.body, network))
  serveConsole(app, listAdministrators, ({ administrator, read }) => read((tx) => list(app, tx, administrator)))
  serveConsole(app, appointAdministrator, async ({ administrator, input, writeWithAccounts }) => {
    const { uid, invitationUid } = await writeWithAccounts((tx) => appoint(appointing(), tx, administrator, input.body))
    // a stored reply would keep the token, so the link is made from the uid
    const link =
      invitationUid && !config.mail ? invitationLink(secrets.invitations, config.appUrl)(invitationUid) : null
    return { uid, invitation_link: link }
  })
  serveConsole(app, revokeAdministrator, async ({ administrator, input, writeWithAccounts }) => {
    await writeWithAccounts((tx) => revoke(appointing(), tx, administrator, input.params.uid))
    return { status: 'revoked' as const }
  })
  serveConsole(app, resetSecondFactor, async ({ administrator, input, writeWithAccounts }) => {
    await writeWithAccounts((tx) => resetFactor(appointing(), tx, administrator, input.params.uid))
    return { status: 'reset' as const }
  })
}
