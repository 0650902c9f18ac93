import { type ActingAs, asAdministrator } from '#features/authority/server/decide.ts'
import { inAct } from '#features/authority/server/in-act.service.ts'
import { tellingOf } from '#features/authority/server/told.service.ts'
import { insertAccount } from '#features/authority/server/writes/accounts.queries.ts'
import { endGrant, insertGrant, type NewGrant } from '#features/authority/server/writes/grants.queries.ts'
import { voidInvitations } from '#features/authority/server/writes/invitations.queries.ts'
import { onlyHolders } from '#features/authority/words.ts'
import { holdDirectory } from '#features/directory/server/change-directory.service.ts'
import { takeMails } from '#features/mail/server/mail-limits.service.ts'
import { revokeConsoleSessions } from '#features/sign-in/server/console/console-session.queries.ts'
import { dropSecondFactor } from '#features/sign-in/server/console/console-session.service.ts'
import { invite } from '#features/sign-in/server/invitations/invitations.service.ts'
import type { AdministratorUid, ClientUid, PersonUid } from '#kernel/ids.ts'
import type { CallAnswer, CallInput } from '#kernel/route.ts'
import { type Administrator, journalAdministrator } from '#server/administrators/administrator.ts'
import type { Services } from '#server/http/services.ts'
import type { Db, Tx } from '#server/platform/db/db.ts'
import { type JournalActor, record } from '#server/platform/db/journal.ts'
import { Refusal } from '#server/platform/errors.ts'
import type { AdministratorRow, appointAdministrator, listAdministrators } from '../calls/administrators.ts'
import { type Mailing, mailAppointed, mailLast, mailNotice, mailSecondFactor } from './administrator-mails.service.ts'
import * as queries from './administrators.queries.ts'
import { withoutKnownPassword } from './known-password.service.ts'

/** What appointing needs beside the transaction. The operator's command has no more. */
export type Appointing = Pick<Services, 'config' | 'jobs' | 'secrets'> & { now: Date }

/** The administrators, and the sites and groups that a grant may reach. */
export async function list(
  { system, config }: Pick<Services, 'system' | 'config'>,
  tx: Tx,
  { clientUid, personUid }: Administrator,
): Promise<CallAnswer<typeof listAdministrators>> {
  const grants = await queries.listGrants(system, clientUid)
  return {
    rows: grants.map((grant): AdministratorRow => {
      const { uid, firstName, lastName, email, reach, reachName, seesPlans, state, lastSignIn } = grant
      return {
        uid,
        person: { uid: grant.personUid, first_name: firstName, last_name: lastName, email },
        reach: { kind: reach, name: reachName },
        sees_plans: seesPlans,
        state,
        last_sign_in: lastSignIn?.toISOString() ?? null,
        is_own: grant.personUid === personUid,
      }
    }),
    sites: await queries.listSites(tx, clientUid),
    groups: await queries.listGroups(tx, clientUid),
    sends_mail: config.mail !== undefined,
  }
}

/** Takes turns with other changes of the administrators. Throws if who asks has lost the grant or the session meanwhile. */
async function holdAs(tx: Tx, administrator: Administrator): Promise<void> {
  await queries.holdAdministrators(tx, administrator.clientUid)
  if (!(await queries.isStillAdministrator(tx, administrator))) throw new Refusal('not_signed_in')
}

interface Appointed {
  uid: AdministratorUid
  /** Null if the person has a password and a second factor already. */
  invitationUid: string | null
}

/**
 * Appoints a member of staff, or changes how far their grant reaches. Never the own one. The Plans permission is given by
 * someone who has it, and everyone who has it is told.
 */
export async function appoint(
  app: Appointing,
  tx: Tx,
  administrator: Administrator,
  wanted: CallInput<typeof appointAdministrator>['body'],
): Promise<Appointed> {
  const { clientUid, personUid } = administrator
  if (wanted.person === personUid) throw new Refusal('forbidden', 'Only another administrator can change your reach.')
  const place = placeOf(wanted)
  await holdDirectory(tx, clientUid)
  await holdAs(tx, administrator)
  if (!(await queries.hasPlace(tx, clientUid, place))) throw new Refusal('not_found')
  const before = await queries.findGrantOf(tx, clientUid, wanted.person)
  const givesMark = wanted.sees_plans && !before?.seesPlans
  const by = { acting: asAdministrator(administrator), name: await queries.findNameOf(tx, clientUid, personUid) }
  const appointed = await grant(app, tx, by, {
    ...place,
    clientUid,
    personUid: wanted.person,
    seesPlans: wanted.sees_plans,
    reach: wanted.reach,
  })
  if (givesMark) await tellOfMark(app, tx, clientUid, wanted.person, by.name)
  return appointed
}

function placeOf({ reach, site, group }: CallInput<typeof appointAdministrator>['body']) {
  const isWhole = (reach === 'site') === (site !== undefined) && (reach === 'group') === (group !== undefined)
  if (!isWhole)
    throw new Refusal('invalid_request', 'Name a site or a group only for a reach that needs one.', ['reach'])
  return { siteUid: site ?? null, groupUid: group ?? null }
}

interface By {
  acting: ActingAs
  name: string
}

/** Makes the grant and tells its holder: by an invitation, or by a notice to who has a password. */
export async function grant(
  app: Appointing,
  tx: Tx,
  { acting }: By,
  wanted: Omit<NewGrant, 'grantedByPersonUid'>,
): Promise<Appointed> {
  const people = [wanted.personUid]
  return inAct(tellingOf(app), tx, acting, { act: 'appoint', people }, () => grantInAct(app, tx, acting, wanted))
}

async function grantInAct(
  app: Appointing,
  tx: Tx,
  acting: ActingAs,
  wanted: Omit<NewGrant, 'grantedByPersonUid'>,
): Promise<Appointed> {
  const { clientUid, personUid, reach, siteUid, groupUid, seesPlans } = wanted
  const actor = journalOf(acting)
  const found = await queries.findStaff(tx, clientUid, personUid)
  if (!found) throw new Refusal('not_found')
  const before = await queries.findGrantOf(tx, clientUid, personUid)
  const givesPlans = seesPlans && !before?.seesPlans
  const staff = before && !givesPlans ? found : await withoutKnownPassword(tx, found)
  const account = await openAccount(tx, clientUid, staff)
  // a wider reach shows more plans
  const isNoWider =
    before?.reach === 'organisation' ||
    (before?.reach === reach && before.siteUid === siteUid && before.groupUid === groupUid)
  if (givesPlans || (seesPlans && !isNoWider)) requireHolder(acting)
  if (before) await endGrant(tx, clientUid, before.uid)
  const grantedByPersonUid = acting.personUid
  const uid = await insertGrant(tx, { ...wanted, grantedByPersonUid })
  await record(tx, actor, {
    action: 'administrator_appointed',
    subjectType: 'administrator',
    subjectUid: uid,
    after: { person_uid: personUid, reach, site_uid: siteUid, group_uid: groupUid, sees_plans: seesPlans },
  })
  const shown = grantedByPersonUid !== null && !app.config.mail
  const who = { clientUid, personUid, invitedByPersonUid: grantedByPersonUid, shown }
  const invitationUid = staff.hasPassword && staff.hasSecondFactor ? null : await invite(tx, app, who)
  if (invitationUid && !app.config.mail)
    await record(tx, actor, { action: 'invitation_shown', subjectType: 'person', subjectUid: personUid })
  if (before && !invitationUid) return { uid, invitationUid }
  // the operator's command is no one's
  if (grantedByPersonUid && app.config.mail && account.email)
    await takeMails(tx, app.now, {
      clientUid,
      personUid: grantedByPersonUid,
      kind: 'invitation',
      to: [account.email],
      isBulk: false,
    })
  await mailAppointed(app, tx, await queries.getOrganisation(tx, clientUid), {
    ...account,
    invitationUid,
    hasPassword: staff.hasPassword,
  })
  return { uid, invitationUid }
}

/** Only a person with the Plans permission gives it. The operator gives it where no one has it. */
function requireHolder(acting: ActingAs): void {
  if (acting.kind === 'administrator' && !acting.seesPlans) throw new Refusal('forbidden', onlyHolders)
}

const journalOf = ({ clientUid, personUid }: ActingAs): JournalActor => ({ clientUid, personUid, signInUid: null })

/** The account to sign in with. Who has none gets one without a password. */
export async function openAccount(
  tx: Tx,
  clientUid: ClientUid,
  staff: Omit<queries.Staff, 'firstName' | 'lastName' | 'hasKnownPassword'>,
): Promise<{ accountUid: string; email: string }> {
  const email = staff.accountEmail ?? staff.email
  if (staff.accountUid && (staff.hasPassword || email)) return { accountUid: staff.accountUid, email: email ?? '' }
  if (!email) throw new Refusal('invalid_request', 'This person has no email address.', ['person'])
  const account = { ownerClientUid: clientUid, email, mobile: staff.mobile }
  const accountUid = await insertAccount(tx, account, staff.personUid)
  if (!accountUid) throw new Refusal('taken', 'This email or mobile is already in use.', ['person'])
  return { accountUid, email }
}

/** Someone else of the whole organisation can sign in. Throws `last_administrator`. */
export async function requireOthers(tx: Tx, clientUid: ClientUid, personUid: PersonUid): Promise<void> {
  if ((await queries.countOthers(tx, clientUid, personUid)) === 0) throw new Refusal('last_administrator')
}

/** After a change of a person with a grant, under `holdAdministrators`. Throws if no one who administers the organisation can sign in any more. */
export async function requireWholeAdministrator(tx: Tx, clientUid: ClientUid, personUid: PersonUid): Promise<void> {
  if (!(await queries.findGrantOf(tx, clientUid, personUid))) return
  if ((await queries.countOthers(tx, clientUid, null)) === 0) throw new Refusal('last_administrator')
}

/** People with a grant, and those of them who can administer the whole organisation today. */
export const listAdministering = async (db: Db, clientUid: ClientUid) => ({
  granted: await queries.listGranted(db, clientUid),
  usable: await queries.listUsable(db, clientUid),
})

/** The last administrator is told that their end waits for another one. */
export async function tellLast(
  app: Mailing,
  tx: Tx,
  { clientUid, personUid, byPersonUid }: { clientUid: ClientUid; personUid: PersonUid; byPersonUid: PersonUid | null },
): Promise<void> {
  const to = await queries.findGrantOf(tx, clientUid, personUid)
  const by = byPersonUid && (await queries.findNameOf(tx, clientUid, byPersonUid))
  if (to) await mailLast(app, tx, await queries.getOrganisation(tx, clientUid), { to, by })
}

/** Everyone who may see plans is told that one more may. */
export async function tellOfMark(app: Appointing, tx: Tx, clientUid: ClientUid, personUid: PersonUid, by: string) {
  const organisation = await queries.getOrganisation(tx, clientUid)
  const subject = `${await queries.findNameOf(tx, clientUid, personUid)} may see the plans of ${organisation.name}`
  for (const holder of await queries.listWithMark(tx, clientUid))
    await mailNotice(app, tx, organisation, { to: holder, subject, by })
}

/** Ends a grant with its sessions and open invitations. */
export async function revoke(
  app: Appointing,
  tx: Tx,
  administrator: Administrator,
  uid: AdministratorUid,
): Promise<void> {
  await holdAs(tx, administrator)
  const found = await queries.findGrant(tx, administrator.clientUid, uid)
  if (!found) throw new Refusal('not_found')
  const { clientUid } = administrator
  const { personUid } = found
  await requireOthers(tx, clientUid, personUid)
  await inAct(tellingOf(app), tx, asAdministrator(administrator), { act: 'revoke', people: [personUid] }, async () => {
    await endGrant(tx, clientUid, found.uid)
    await voidInvitations(tx, { clientUid, personUid })
    if (found.accountUid) await revokeConsoleSessions(tx, [found.accountUid])
    await record(tx, journalAdministrator(administrator), {
      action: 'administrator_revoked',
      subjectType: 'administrator',
      subjectUid: found.uid,
      before: { person_uid: personUid, sees_plans: found.seesPlans },
    })
  })
}

/** Another administrator's second factor. They are told, and signed out. */
export async function resetFactor(
  app: Appointing,
  tx: Tx,
  administrator: Administrator,
  uid: AdministratorUid,
): Promise<void> {
  const { clientUid } = administrator
  await holdAs(tx, administrator)
  const found = await queries.findGrant(tx, clientUid, uid)
  if (!found?.accountUid) throw new Refusal('not_found')
  if (found.personUid === administrator.personUid)
    throw new Refusal('forbidden', 'Only another administrator can reset your second factor.')
  await requireOthers(tx, clientUid, found.personUid)
  await dropFactor(app, tx, asAdministrator(administrator), { ...found, accountUid: found.accountUid })
}

/** Takes the second factor away, ends the sessions and tells the holder. Returns the invitation to set up another one, which is mailed. */
export async function dropFactor(
  app: Appointing,
  tx: Tx,
  acting: ActingAs,
  { accountUid, personUid }: { accountUid: string; personUid: PersonUid },
): Promise<string> {
  return inAct(tellingOf(app), tx, acting, { act: 'reset_factor', people: [personUid] }, async () => {
    const { clientUid } = acting
    await dropSecondFactor(tx, accountUid)
    const invitationUid = await invite(tx, app, { clientUid, personUid, invitedByPersonUid: acting.personUid })
    const staff = await queries.findStaff(tx, clientUid, personUid)
    const email = staff?.accountEmail ?? staff?.email
    if (email)
      await mailSecondFactor(app, tx, await queries.getOrganisation(tx, clientUid), {
        accountUid,
        email,
        invitationUid,
      })
    await record(tx, journalOf(acting), {
      action: 'second_factor_reset',
      subjectType: 'person',
      subjectUid: personUid,
    })
    return invitationUid
  })
}
