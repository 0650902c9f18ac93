import { insertSecondFactor, replaceRecoveryCodes } from '#features/authority/server/writes/second-factors.queries.ts'
import { consoleLimits } from '#kernel/console-kinds.ts'
import type { ClientUid } from '#kernel/ids.ts'
import type { CallAnswer, CallInput } from '#kernel/route.ts'
import { type Administrator, journalAdministrator } from '#server/administrators/administrator.ts'
import type { Services } from '#server/http/services.ts'
import { type Db, inClients, type Tx } from '#server/platform/db/db.ts'
import { record } from '#server/platform/db/journal.ts'
import { Refusal } from '#server/platform/errors.ts'
import { inStrangersTurn } from '#server/platform/fair-turns.ts'
import type { Network } from '#server/platform/network.ts'
import {
  enrolmentUri,
  hashRecoveryCode,
  isSixDigits,
  newRecoveryCodes,
  newSecret,
  plainCode,
  presentSecret,
  stepOf,
} from '#server/platform/one-time-codes.ts'
import { decrypt, encrypt, idOfKey, isSealed, keyring, newToken, sha256 } from '#server/platform/secrets.ts'
import type {
  confirmEnrolment,
  giveCode,
  NextStep,
  renewRecoveryCodes,
  signInToConsole,
  startEnrolment,
} from '../../calls/console-sign-in.ts'
import { provePassword } from '../sign-in.service.ts'
import { forgetCodeTries, proveCode, takeCodeTry } from './code.service.ts'
import { insertConsoleSession } from './console-session.queries.ts'
import { holdSession, listOwnGrants, presentMe } from './console-session.service.ts'
import { type Grant, listGrants } from './grants.queries.ts'
import { insertTicket, keepSecret, lockTicket, type OpenTicket, useTicket } from './tickets.queries.ts'

/** Name and password, then a code. Only a right password learns that it is no administrator's. It sets up no second factor: a link does. */
export async function signIn(
  app: Services,
  { name, password }: CallInput<typeof signInToConsole>['body'],
  network: Network,
): Promise<NextStep> {
  const opened = await provePassword(app, { name, password }, { network, device: undefined })
  const proven = opened.map(({ uid, passwordHash }) => ({ accountUid: uid, digest: sha256(passwordHash) }))
  const grants = await listGrants(app.system, proven)
  if (grants.length === 0) throw new Refusal('not_an_administrator')
  const first = grants.find(({ hasSecondFactor }) => hasSecondFactor)
  if (!first) throw new Refusal('use_link')
  return giveTicket(
    app,
    app.system,
    first,
    grants.filter((grant) => grant !== first),
  )
}

/**
 * The way to another organisation of the same password. An account belongs to one organisation, and so does its
 * second factor: its code follows. The session that asks stays.
 */
export async function switchTo(app: Services, administrator: Administrator, clientUid: ClientUid): Promise<NextStep> {
  const grants = await listOwnGrants(app.system, administrator)
  const wanted = grants.find((grant) => grant.clientUid === clientUid && clientUid !== administrator.clientUid)
  if (!wanted) throw new Refusal('not_found')
  if (!wanted.hasSecondFactor) throw new Refusal('use_link')
  return giveTicket(
    app,
    app.system,
    wanted,
    grants.filter((grant) => grant !== wanted),
  )
}

/** Ten new recovery codes, shown this once. */
export async function renewCodes(
  app: Services,
  administrator: Administrator,
): Promise<CallAnswer<typeof renewRecoveryCodes>> {
  const codes = await inClients(app.system, [], async (tx) => {
    await holdSession(tx, administrator)
    await record(tx, journalAdministrator(administrator), {
      action: 'recovery_codes_renewed',
      subjectType: 'person',
      subjectUid: administrator.personUid,
    })
    return makeRecoveryCodes(app, tx, administrator.accountUid)
  })
  return { recovery_codes: codes }
}

/** A ticket to what follows the password. Its token is shown once; the database keeps the hash. */
export async function giveTicket(
  { secrets, clock }: Pick<Services, 'secrets' | 'clock'>,
  db: Db,
  { accountUid, passwordDigest, hasSecondFactor }: Pick<Grant, 'accountUid' | 'passwordDigest' | 'hasSecondFactor'>,
  further: readonly Pick<Grant, 'accountUid' | 'passwordDigest'>[] = [],
): Promise<NextStep> {
  const ticket = newToken(secrets.consoleTickets)
  const step = hasSecondFactor ? ('code' as const) : ('enrol' as const)
  await insertTicket(db, {
    step,
    accountUid,
    passwordDigest,
    tokenHash: sha256(ticket),
    furtherAccountUids: further.map((other) => other.accountUid),
    furtherDigests: further.map((other) => other.passwordDigest),
    expiresAt: new Date(clock.now().getTime() + consoleLimits.ticketMinutes * 60_000),
  })
  return { ticket, step }
}

/** Finds a ticket outside the transaction that uses it up, so that a wrong code is counted. */
function findTicket(app: Services, ticket: string, step: NextStep['step'], network: Network): Promise<OpenTicket> {
  // a made-up ticket costs no look-up
  if (!isSealed(keyring(app.secrets, 'consoleTickets'), ticket)) throw new Refusal('not_signed_in')
  return inStrangersTurn(network.site, () => inClients(app.system, [], (tx) => getTicket(app, tx, ticket, step)))
}

async function getTicket({ clock }: Services, tx: Tx, ticket: string, step: NextStep['step']): Promise<OpenTicket> {
  const found = await lockTicket(tx, sha256(ticket), step, clock.now())
  // who has set up a second factor meanwhile signs in with it
  if (!found || found.hasSecondFactor !== (step === 'code')) throw new Refusal('not_signed_in')
  return found
}

/** Opens the session. A ticket, a code and a recovery code open one session each. */
export async function signInWithCode(
  app: Services,
  { ticket, code }: CallInput<typeof giveCode>['body'],
  network: Network,
): Promise<CallAnswer<typeof giveCode>> {
  const { accountUid } = await findTicket(app, ticket, 'code', network)
  await takeCodeTry(app, accountUid, network)
  const opened = await inClients(app.system, [], async (tx) => {
    const open = await getTicket(app, tx, ticket, 'code')
    await proveCode(tx, app, open, code)
    return openSession(app, tx, open)
  })
  await forgetCodeTries(app, accountUid, network)
  return presentOpened(app, opened)
}

/** The secret of a second factor. A page that is opened again shows the same one. */
export async function enrol(
  app: Services,
  { ticket }: CallInput<typeof startEnrolment>['body'],
  network: Network,
): Promise<CallAnswer<typeof startEnrolment>> {
  await findTicket(app, ticket, 'enrol', network)
  return inClients(app.system, [], async (tx) => {
    const open = await getTicket(app, tx, ticket, 'enrol')
    const kept = open.secret && decrypt(keyring(app.secrets, 'secondFactors'), open.secret, open.ticketUid)
    const secret = kept ?? newSecret()
    if (!kept) await keepSecret(tx, open.ticketUid, encrypt(app.secrets.secondFactors, secret, open.ticketUid))
    const uri = enrolmentUri(secret, { issuer: open.organisation, label: open.signInName })
    return { secret: presentSecret(secret), uri }
  })
}

/** One code proves the new second factor and opens the session. The recovery codes are shown this once. */
export async function confirmEnrolled(
  app: Services,
  { ticket, code }: CallInput<typeof confirmEnrolment>['body'],
  network: Network,
): Promise<CallAnswer<typeof confirmEnrolment>> {
  const { accountUid } = await findTicket(app, ticket, 'enrol', network)
  await takeCodeTry(app, accountUid, network)
  const { recoveryCodes, ...opened } = await inClients(app.system, [], async (tx) => {
    const open = await getTicket(app, tx, ticket, 'enrol')
    await setSecondFactor(app, tx, open, code)
    const recoveryCodes = await makeRecoveryCodes(app, tx, open.accountUid)
    return { recoveryCodes, ...(await openSession(app, tx, open)) }
  })
  await forgetCodeTries(app, accountUid, network)
  return { ...(await presentOpened(app, opened)), recovery_codes: recoveryCodes }
}

async function setSecondFactor({ secrets, clock }: Services, tx: Tx, open: OpenTicket, entry: string): Promise<void> {
  const { accountUid, clientUid, personUid, ticketUid } = open
  const secret = open.secret && decrypt(keyring(secrets, 'secondFactors'), open.secret, ticketUid)
  const code = plainCode(entry)
  const step = secret && isSixDigits(code) ? stepOf(secret, code, clock.now()) : undefined
  if (!secret || step === undefined) throw new Refusal('wrong_code')
  const factor = { accountUid, secret: encrypt(secrets.secondFactors, secret, accountUid), lastStep: step }
  if (!(await insertSecondFactor(tx, factor))) throw new Refusal('not_signed_in')
  await record(
    tx,
    { clientUid, personUid, signInUid: null },
    { action: 'second_factor_set', subjectType: 'person', subjectUid: personUid },
  )
}

/** Ten new recovery codes. The former ones open nothing any more. */
async function makeRecoveryCodes({ secrets }: Services, tx: Tx, accountUid: string): Promise<string[]> {
  const codes = newRecoveryCodes(consoleLimits.recoveryCodes)
  const hashes = codes.map((code) => hashRecoveryCode(secrets.recoveryCodes, accountUid, code))
  await replaceRecoveryCodes(tx, accountUid, { hashes, keyId: idOfKey(secrets.recoveryCodes) })
  return codes
}

/** The only place that makes console tokens. Uses up the ticket. */
async function openSession({ secrets, clock }: Services, tx: Tx, open: OpenTicket): Promise<{ token: string }> {
  const { accountUid, passwordDigest, furtherAccountUids, furtherDigests, clientUid, personUid, ticketUid } = open
  const now = clock.now()
  await useTicket(tx, ticketUid, now)
  const token = newToken(secrets.console)
  await insertConsoleSession(tx, {
    accountUid,
    passwordDigest,
    furtherAccountUids,
    furtherDigests,
    tokenHash: sha256(token),
    expiresAt: new Date(now.getTime() + consoleLimits.sessionHours * 3_600_000),
  })
  await record(
    tx,
    { clientUid, personUid, signInUid: null },
    { action: 'console_signed_in', subjectType: 'person', subjectUid: personUid },
  )
  return { token }
}

async function presentOpened(app: Services, { token }: { token: string }): Promise<CallAnswer<typeof giveCode>> {
  const administrator = await app.findAdministrator(sha256(token), { isPoll: false })
  // the grant or the password has ended in between
  if (!administrator) throw new Refusal('not_signed_in')
  return { access_token: token, me: await presentMe(app, administrator) }
}
