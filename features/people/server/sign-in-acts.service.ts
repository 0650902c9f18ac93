import { sql } from 'kysely'
import { dayOf, mailAppointed, mailAsked } from '#features/administrators/server/administrator-mails.service.ts'
import { holdAdministrators } from '#features/administrators/server/administrators.queries.ts'
import { openAccount } from '#features/administrators/server/administrators.service.ts'
import { asAdministrator } from '#features/authority/server/decide.ts'
import { inAct } from '#features/authority/server/in-act.service.ts'
import { tellingOf } from '#features/authority/server/told.service.ts'
import { holdDirectory } from '#features/directory/server/change-directory.service.ts'
import { lockSite } from '#features/events/server/event.queries.ts'
import { takeOffPost } from '#features/events/server/event-wardens.service.ts'
import { takeMails } from '#features/mail/server/mail-limits.service.ts'
import { revokeConsoleSessions } from '#features/sign-in/server/console/console-session.queries.ts'
import { expiryOf, grantWords, invite } from '#features/sign-in/server/invitations/invitations.service.ts'
import {
  queueReset,
  resetsPasswords,
  takeRequest,
} from '#features/sign-in/server/password-reset/password-reset.service.ts'
import { endSessions } from '#features/sign-in/server/session.service.ts'
import { queueTexts } from '#features/texts/server/queue.queries.ts'
import type { PersonUid } from '#kernel/ids.ts'
import type { CallAnswer } from '#kernel/route.ts'
import { type Administrator, journalAdministrator } from '#server/administrators/administrator.ts'
import { within } from '#server/administrators/reach.ts'
import type { Services } from '#server/http/services.ts'
import type { Tx } from '#server/platform/db/db.ts'
import { record } from '#server/platform/db/journal.ts'
import { Refusal } from '#server/platform/errors.ts'
import { fill } from '#server/platform/fill.ts'
import type { invitePerson, sendPasswordLink, showInvitation, signOutPerson } from '../calls/sign-in-acts.ts'
import * as queries from './sign-in-acts.queries.ts'

export type Acting = Pick<Services, 'config' | 'jobs' | 'secrets'> & { now: Date; isBulk?: true }

/** The person, held with the e-mail that they have now, if the administrator may act on their sign-in. */
async function hold(tx: Tx, administrator: Administrator, uid: PersonUid): Promise<queries.Invited> {
  await holdDirectory(tx, administrator.clientUid)
  await holdAdministrators(tx, administrator.clientUid)
  const [found] = await queries.lockInvited(tx, administrator.clientUid, within(administrator), [uid])
  if (!found) throw new Refusal('not_found')
  return found
}

/** A link sets the first password, and the second factor of an administrator. */
const needsLink = ({ hasPassword, hasSecondFactor, reach }: queries.Invited) =>
  !hasPassword || (reach !== null && !hasSecondFactor)

/** Why a person cannot be invited. Undefined if they can. */
function reasonAgainst(person: queries.Invited): string | undefined {
  if (!person.isActiveStaff || !(person.asked || person.reach))
    return 'No assignment and not an administrator: nothing to invite this person to.'
  return undefined
}

/** A text without a token, paid from the pot of links. The number itself signs in. */
async function textAsked(
  { config, jobs }: Acting,
  tx: Tx,
  { clientUid, personUid: byUid }: Administrator,
  { personUid }: queries.Invited,
  { role, from }: queries.Asked,
): Promise<void> {
  const { name, smsAllowed } = await queries.getOrganisation(tx, clientUid)
  const body = fill('All Wardens: {name} asks you to be {role} from {day}. Sign in with this number: {address}', {
    name,
    role,
    day: dayOf(from),
    address: `${config.appUrl}/login`,
  })
  const receivers = sql`select ${clientUid}::uuid as client_uid, null::uuid as event_uid, ${personUid}::uuid as person_uid`
  const [text] = await queueTexts(tx, { kind: 'offer', body, isAllowed: smsAllowed, receivers })
  if (text?.status !== 'queued') throw new Refusal('invalid_transition', text?.reason ?? 'No mobile number.')
  await jobs.enqueue(tx, 'texts', { client_uid: clientUid })
  await record(
    tx,
    { clientUid, personUid: byUid, signInUid: null },
    { action: 'invitation_sent', subjectType: 'person', subjectUid: personUid },
  )
}

/**
 * Makes the invitation and mails it, or texts a warden who cannot be mailed. Where a password is set the mail
 * has no link for one.
 */
export async function inviteHeld(
  app: Acting,
  tx: Tx,
  administrator: Administrator,
  person: queries.Invited,
): Promise<'invited' | 'told' | 'texted'> {
  const people = [person.personUid]
  return inAct(tellingOf(app), tx, asAdministrator(administrator), { act: 'invite', people }, () =>
    inviteInAct(app, tx, administrator, person),
  )
}

async function inviteInAct(
  app: Acting,
  tx: Tx,
  administrator: Administrator,
  person: queries.Invited,
): Promise<'invited' | 'told' | 'texted'> {
  const against = reasonAgainst(person)
  if (against) throw new Refusal('invalid_transition', against)
  const hasMail = app.config.mail && (person.accountEmail ?? person.email)
  if (!hasMail && person.asked && !person.reach && app.config.smsGateways.length > 0 && person.mobile) {
    await textAsked(app, tx, administrator, person, person.asked)
    return 'texted'
  }
  if (!app.config.mail)
    throw new Refusal('invalid_transition', 'Email is not set up here. Show the invitation instead.')
  const { clientUid, personUid } = administrator
  const { accountUid, email } = await openAccount(tx, clientUid, person)
  if (!email) throw new Refusal('invalid_transition', 'This person has no email address.')
  await takeMails(tx, app.now, { clientUid, personUid, kind: 'invitation', to: [email], isBulk: app.isBulk ?? false })
  const who = { clientUid, personUid: person.personUid, invitedByPersonUid: personUid }
  const invitationUid = needsLink(person) ? await invite(tx, app, who) : null
  const organisation = await queries.getOrganisation(tx, clientUid)
  const to = { accountUid, email, invitationUid }
  if (person.reach) await mailAppointed(app, tx, organisation, { ...to, hasPassword: person.hasPassword })
  else if (person.asked) await mailAsked(app, tx, organisation, to, person.asked)
  return invitationUid ? 'invited' : 'told'
}

export async function inviteByMail(
  app: Acting,
  tx: Tx,
  administrator: Administrator,
  uid: PersonUid,
): Promise<CallAnswer<typeof invitePerson>> {
  return { status: await inviteHeld(app, tx, administrator, await hold(tx, administrator, uid)) }
}

/**
 * An invitation that is handed over. Its link is made from the uid behind the transaction: a stored reply would keep
 * the token. Never over a password, and of an administrator only where no mail is sent.
 */
export async function makeShown(
  app: Acting,
  tx: Tx,
  administrator: Administrator,
  uid: PersonUid,
): Promise<Omit<CallAnswer<typeof showInvitation>, 'link'> & { invitationUid: string }> {
  const person = await hold(tx, administrator, uid)
  const people = [uid]
  return inAct(tellingOf(app), tx, asAdministrator(administrator), { act: 'show_invitation', people }, () =>
    showInAct(app, tx, administrator, person),
  )
}

async function showInAct(app: Acting, tx: Tx, administrator: Administrator, person: queries.Invited) {
  const uid = person.personUid
  const against = reasonAgainst(person)
  if (against) throw new Refusal('invalid_transition', against)
  if (!needsLink(person)) throw new Refusal('invalid_transition', 'This person already has a password.')
  const { clientUid, personUid } = administrator
  if (!(person.accountUid && person.username)) await openAccount(tx, clientUid, person)
  const invitationUid = await invite(tx, app, {
    clientUid,
    personUid: uid,
    invitedByPersonUid: personUid,
    shown: true,
  })
  await record(tx, journalAdministrator(administrator), {
    action: 'invitation_shown',
    subjectType: 'person',
    subjectUid: uid,
  })
  const what = person.reach ? grantWords[person.reach] : (person.asked?.role ?? '')
  return { invitationUid, what, expires_at: expiryOf(app.now).toISOString() }
}

/** The usual link for a new password, asked for by an administrator. */
export async function mailPasswordLink(
  app: Acting & Pick<Services, 'system' | 'clock'>,
  tx: Tx,
  administrator: Administrator,
  uid: PersonUid,
): Promise<CallAnswer<typeof sendPasswordLink>> {
  const person = await hold(tx, administrator, uid)
  const people = [uid]
  return inAct(tellingOf(app), tx, asAdministrator(administrator), { act: 'password_link', people }, () =>
    mailInAct(app, tx, administrator, person),
  )
}

async function mailInAct(
  app: Acting & Pick<Services, 'system' | 'clock'>,
  tx: Tx,
  administrator: Administrator,
  { personUid: uid, accountUid, accountEmail, firstName, lastName, isActiveStaff }: queries.Invited,
): Promise<CallAnswer<typeof sendPasswordLink>> {
  if (!resetsPasswords(app.config)) throw new Refusal('invalid_transition', 'Passwords cannot be reset by email here.')
  if (!isActiveStaff || !accountUid || !accountEmail)
    throw new Refusal('invalid_transition', 'This person has no email address.')
  await takeRequest(app, accountEmail)
  await queueReset(app, tx, accountEmail, { uid: accountUid, email: accountEmail, firstName, lastName })
  await record(tx, journalAdministrator(administrator), {
    action: 'password_link_sent',
    subjectType: 'person',
    subjectUid: uid,
  })
  return { status: 'sent' }
}

/** Ends the sessions of both sides. Who is on duty leaves the post first, with a code. */
export async function signOutEverywhere(
  app: Acting,
  tx: Tx,
  administrator: Administrator,
  uid: PersonUid,
  takeOffDuty: boolean,
): Promise<CallAnswer<typeof signOutPerson>> {
  const { clientUid } = administrator
  await holdDirectory(tx, clientUid)
  for (const { siteUid } of await queries.listPosts(tx, clientUid, uid)) await lockSite(tx, siteUid)
  const { accountUid, name } = await hold(tx, administrator, uid)
  const posts = await queries.listPosts(tx, clientUid, uid)
  if (posts.length > 0 && !takeOffDuty) throw new Refusal('on_duty', `${name} is now on duty. Refresh the page.`)
  if (posts.length > 0 && !administrator.isConfirmed) throw new Refusal('confirm_identity')
  const people = [uid]
  await inAct(tellingOf(app), tx, asAdministrator(administrator), { act: 'sign_out', people }, async () => {
    for (const { siteUid, assignmentUid } of posts) await takeOffPost(tx, administrator, siteUid, assignmentUid)
    if (accountUid) {
      await endSessions(tx, [accountUid])
      await revokeConsoleSessions(tx, [accountUid])
    }
    await record(tx, journalAdministrator(administrator), {
      action: 'person_signed_out',
      subjectType: 'person',
      subjectUid: uid,
    })
  })
  return { status: 'signed_out' }
}
