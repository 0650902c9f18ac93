import { randomUUID } from 'node:crypto'
import { isStillTheirs } from '#features/authority/server/shown.service.ts'
import { setFirstPassword } from '#features/authority/server/writes/accounts.queries.ts'
import {
  type NewInvitation,
  replaceInvitations,
  useInvitation,
} from '#features/authority/server/writes/invitations.queries.ts'
import { consoleLimits } from '#kernel/console-kinds.ts'
import type { CallAnswer, CallInput } from '#kernel/route.ts'
import type { Services } from '#server/http/services.ts'
import { type Db, inClients, type Tx } from '#server/platform/db/db.ts'
import { record } from '#server/platform/db/journal.ts'
import { takeRecent } from '#server/platform/db/throttle.ts'
import { Refusal } from '#server/platform/errors.ts'
import { inStrangersTurn } from '#server/platform/fair-turns.ts'
import type { Network } from '#server/platform/network.ts'
import { newPasswordProblem } from '#server/platform/new-password.ts'
import { hashPassword, verifyPassword } from '#server/platform/passwords.ts'
import { hmac, type Secrets, sha256 } from '#server/platform/secrets.ts'
import type { acceptInvitation, readInvitation } from '../../calls/invitations.ts'
import { giveTicket } from '../console/console-sign-in.service.ts'
import { findInvitation, type OpenInvitation } from './invitations.queries.ts'

/** Attempts per invitation, because each costs a password hash. */
const triesOfInvitation = { limit: 60, minutes: 15 }

/** The token of an invitation, derived from its uid when needed. Only its hash is stored. */
export const invitationToken = (key: Uint8Array, uid: string) => hmac(key, uid)

/** The page for a first password. Opening it does not use the link, because mail programs open links too. */
export const invitationLink = (key: Uint8Array, appUrl: string) => (uid: string) =>
  `${appUrl}/console/invitation#token=${invitationToken(key, uid)}`

export interface Inviting {
  secrets: Pick<Secrets, 'invitations'>
  now: Date
}

/** When an invitation of this moment ends. */
export const expiryOf = (now: Date) => new Date(now.getTime() + consoleLimits.invitationDays * 86_400_000)

/** Makes an invitation for seven days. Older ones of the person end. Returns its uid. */
export async function invite(
  tx: Tx,
  { secrets, now }: Inviting,
  who: Pick<NewInvitation, 'clientUid' | 'personUid' | 'invitedByPersonUid'> & { shown?: boolean },
): Promise<string> {
  const uid = randomUUID()
  const tokenHash = sha256(invitationToken(secrets.invitations, uid))
  await replaceInvitations(tx, { shown: false, uid, ...who, tokenHash, expiresAt: expiryOf(now) })
  await record(
    tx,
    { clientUid: who.clientUid, personUid: who.invitedByPersonUid, signInUid: null },
    { action: 'invitation_sent', subjectType: 'person', subjectUid: who.personUid },
  )
  return uid
}

export const grantWords = {
  organisation: 'administrator',
  site: 'administrator of a site',
  group: 'administrator of a group',
}

async function findByToken({ clock, config }: Services, db: Db, token: string): Promise<OpenInvitation | undefined> {
  const found = await findInvitation(db, sha256(token), clock.now())
  if (!found?.shownToPersonUid) return found
  const of = { ...found, byPersonUid: found.shownToPersonUid }
  return (await isStillTheirs(db, of, { sendsMail: config.mail !== undefined })) ? found : undefined
}

/** Who invites to what. Every token that opens nothing is answered alike. */
export async function read(
  app: Services,
  { token }: CallInput<typeof readInvitation>['body'],
  network: Network,
): Promise<CallAnswer<typeof readInvitation>> {
  const found = await inStrangersTurn(network.site, () => findByToken(app, app.system, token))
  if (!found) return { state: 'over' }
  const what = found.reach ? grantWords[found.reach] : 'warden'
  return { state: 'open', organisation: found.organisation, what, has_password: found.passwordHash !== null }
}

/** Sets the first password, never another one: who has one gives it. An administrator goes on with the second factor. */
export async function accept(
  app: Services,
  { token, password }: CallInput<typeof acceptInvitation>['body'],
  network: Network,
): Promise<CallAnswer<typeof acceptInvitation>> {
  const turn = { lane: network.site, rank: 0 }
  const found = await inStrangersTurn(turn.lane, () => findByToken(app, app.system, token))
  if (!found) return { problem: 'link_over' }
  if (found.passwordHash === null) {
    const problem = await newPasswordProblem(password, ownerOf(found))
    if (problem) return { problem }
  }
  await takeTry(app, found)
  const held = found.passwordHash
  if (held !== null && !(await verifyPassword(held, password, turn)))
    throw new Refusal('invalid_credentials', 'That is not your password.')
  const passwordHash = held ?? (await hashPassword(password, turn))
  const accepted = await inClients(app.system, [], (tx) => change(app, tx, token, passwordHash))
  if (!accepted) return { problem: 'link_over' }
  app.announce()
  if (!accepted.reach) return { done: true }
  const { accountUid } = accepted
  return giveTicket(app, app.system, { accountUid, passwordDigest: sha256(passwordHash), hasSecondFactor: false })
}

async function change(app: Services, tx: Tx, token: string, passwordHash: string): Promise<OpenInvitation | undefined> {
  const found = await findByToken(app, tx, token)
  if (!found || !(await useInvitation(tx, found, app.clock.now()))) return undefined
  // a password that was set meanwhile is another one, and was not given
  if (found.passwordHash === null) {
    if (!(await setFirstPassword(tx, found, passwordHash))) return undefined
  } else if (found.passwordHash !== passwordHash) return undefined
  const { clientUid, personUid } = found
  await record(
    tx,
    { clientUid, personUid, signInUid: null },
    { action: 'invitation_accepted', subjectType: 'person', subjectUid: personUid },
  )
  return found
}

const ownerOf = ({ email, username, firstName, lastName }: OpenInvitation) => ({
  email: email ?? '',
  usernames: username ? [username] : [],
  people: [{ firstName, lastName }],
})

async function takeTry({ system, clock }: Services, { uid }: OpenInvitation): Promise<void> {
  if (await takeRecent(system, `invitation/${uid}`, triesOfInvitation, clock.now())) return
  throw new Refusal('too_many_attempts', `Too many attempts. Try again in ${triesOfInvitation.minutes} minutes.`)
}
