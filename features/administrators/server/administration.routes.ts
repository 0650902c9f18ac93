import { invitationLink } from '#features/sign-in/server/invitations/invitations.service.ts'
import { ownTransactions, routes } from '#server/http/routes.ts'
import {
  appointAdministrator,
  listAdministrators,
  resetSecondFactor,
  revokeAdministrator,
} from '../calls/administrators.ts'
import { setUp } from '../calls/set-up.ts'
import { appoint, list, resetFactor, revoke } from './administrators.service.ts'
import { makeFirst } from './set-up.service.ts'

const calls = { setUp, listAdministrators, appointAdministrator, revokeAdministrator, resetSecondFactor }

export const administrationRoutes = routes(calls, ({ config, jobs, secrets, clock }) => {
  const appointing = () => ({ config, jobs, secrets, now: clock.now() })
  return {
    setUp: ({ app, body, network }) => makeFirst(app, body, network),
    listAdministrators: ({ tx, app, administrator }) => list(app, tx, administrator),
    appointAdministrator: ownTransactions(async ({ administrator, body, writeWithAccounts }) => {
      const { uid, invitationUid } = await writeWithAccounts((tx) => appoint(appointing(), tx, administrator, body))
      // a stored reply would keep the token, so the link is made from the uid
      const link =
        invitationUid && !config.mail ? invitationLink(secrets.invitations, config.appUrl)(invitationUid) : null
      return { uid, invitation_link: link }
    }),
    revokeAdministrator: ownTransactions(async ({ administrator, params, writeWithAccounts }) => {
      await writeWithAccounts((tx) => revoke(appointing(), tx, administrator, params.uid))
      return { status: 'revoked' as const }
    }),
    resetSecondFactor: ownTransactions(async ({ administrator, params, writeWithAccounts }) => {
      await writeWithAccounts((tx) => resetFactor(appointing(), tx, administrator, params.uid))
      return { status: 'reset' as const }
    }),
  }
})
