import { asOperator } from '#features/authority/server/decide.ts'
import { inAct } from '#features/authority/server/in-act.service.ts'
import { tellingOf } from '#features/authority/server/told.service.ts'
import { invite } from '#features/sign-in/server/invitations/invitations.service.ts'
import type { Config } from '#server/platform/config/config.ts'
import type { Db } from '#server/platform/db/db.ts'
import { mailSecondFactor } from './administrator-mails.service.ts'
import { getOrganisation, listOwed, listUnadministered, type Owed } from './administrators.queries.ts'
import type { Appointing } from './administrators.service.ts'

type Work = Omit<Appointing, 'now'> & { system: Db }

/**
 * Mails administrators whom the upgrade left with a password alone the link for their second factor. Once each, however many workers
 * run: a person who gets an invitation is owed none any more. Without a mail server, or without their address, it stays owed.
 */
export async function mailOwedLinks(app: Work, onTrouble: (error: unknown) => void, now = new Date()): Promise<void> {
  if (!app.config.mail) return
  for (const one of await listOwed(app.system)) if (one.email) await mailOne({ ...app, now }, one).catch(onTrouble)
}

function mailOne(app: Appointing & Pick<Work, 'system'>, { clientUid, personUid }: Owed): Promise<void> {
  const act = { act: 'invite' as const, people: [personUid] }
  return app.system.transaction().execute((tx) =>
    inAct(tellingOf(app), tx, asOperator(clientUid), act, async () => {
      // another worker may have been first
      const [owed] = await listOwed(tx, personUid)
      if (!owed?.email) return
      const { accountUid, email } = owed
      const invitationUid = await invite(tx, app, { clientUid, personUid, invitedByPersonUid: null })
      const to = { accountUid, email, invitationUid }
      await mailSecondFactor(app, tx, await getOrganisation(tx, clientUid), to, { afterUpgrade: true })
    }),
  )
}

/** A line per organisation that no one can administer, or whose administrators cannot be mailed the link that they need. */
export async function listRescues(system: Db, { mail }: Pick<Config, 'mail'>): Promise<string[]> {
  const codes = await listUnadministered(system)
  const unmailed = (await listOwed(system)).filter(({ email }) => !(mail && email))
  return [
    ...codes.map((code) => `${code} has no administrator: npm run organisation -- invite-administrator ${code} EMAIL`),
    ...[...Map.groupBy(unmailed, ({ code }) => code)].map(([code, { length }]) => {
      const who = length === 1 ? 'An administrator has' : `${length} administrators have`
      return mail
        ? `${code}: ${who} no second factor, and no email address for the link to set it up. Enter one in People`
        : `${code}: ${who} no second factor, and email is not set up: npm run organisation -- reset-second-factor ${code} EMAIL`
    }),
  ]
}
