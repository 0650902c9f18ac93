import { randomUUID } from 'node:crypto'
import { setPasswordHash } from '#features/authority/server/writes/accounts.queries.ts'
import { insertReset, redeemReset, voidResets } from '#features/authority/server/writes/password-resets.queries.ts'
import { queueMail } from '#features/mail/server/mail.service.ts'
import { passwordResetMinutes } from '#kernel/limits.ts'
import type { CallAnswer } from '#kernel/route.ts'
import type { Services } from '#server/http/services.ts'
import { inClients, type Tx } from '#server/platform/db/db.ts'
import { recordAll } from '#server/platform/db/journal.ts'
import { type ThrottleRule, takeRecent } from '#server/platform/db/throttle.ts'
import { Refusal } from '#server/platform/errors.ts'
import { inStrangersTurn, type Turn } from '#server/platform/fair-turns.ts'
import { fill } from '#server/platform/fill.ts'
import type { Network } from '#server/platform/network.ts'
import { newPasswordProblem } from '#server/platform/new-password.ts'
import { hashPassword, verifyPassword } from '#server/platform/passwords.ts'
import { hmac, sha256 } from '#server/platform/secrets.ts'
import { lockAccounts } from '#server/wardens/accounts.ts'
import type { ResetOutcome, requestPasswordReset, resetPassword } from '../../calls/password-reset.ts'
import { sendResetElsewhere } from '../ask-elsewhere.service.ts'
import { countWrong, forgetTries, hold } from '../guessing.service.ts'
import { endSessions } from '../session.service.ts'
import { findByEmail, findOpenReset, listPasswordsSetBy, type OpenReset } from './password-reset.queries.ts'

const requestsOfAddress = { limit: 5, minutes: 15 }
/** Limit of attempts per link, because each one costs a password hash. */
const triesOfLink = { limit: 60, minutes: 15 }
const noticeHours = 24

/** The token of a link, derived from its uid when needed. Only its hash is stored. */
export const resetToken = (key: Uint8Array, resetUid: string) => hmac(key, resetUid)

/** The page for a new password. Opening it does not use the link, because mail programs open links too. */
export const resetLink = (key: Uint8Array, appUrl: string) => (resetUid: string) =>
  `${appUrl}/reset-password#token=${resetToken(key, resetUid)}`

/**
 * Answers in the same way and with the same work whether or not someone has the address. For an address with
 * very many requests nothing is written for unknown receivers, and all answers are equally delayed. A newer request
 * invalidates older links.
 */
export async function requestReset(
  app: Services,
  entry: string,
  network: Network,
): Promise<CallAnswer<typeof requestPasswordReset>> {
  const since = performance.now()
  const { email, isKnown, holdMs } = await requestResetHere(app, entry, network)
  const asked = performance.now()
  if (!isKnown) await sendResetElsewhere(app, email, network)
  await hold(since, holdMs)
  await hold(asked, app.cells?.patienceMs ?? 0)
  app.metrics.signIns.inc({ outcome: 'reset_requested' })
  return { status: 'accepted' }
}

/** The same in this installation alone, without the delay (ms). */
export async function requestResetHere(app: Services, entry: string, network: Network) {
  const email = entry.trim().toLowerCase()
  return inStrangersTurn(network.site, async () => {
    await takeRequest(app, email)
    const holdMs = await countWrong(app, 'password-reset', network)
    const account = await findByEmail(app.system, email)
    if (account || holdMs === 0) await writeReset(app, email, account)
    return { email, isKnown: account !== undefined, holdMs }
  })
}

/** True if this program resets passwords and can send mail. */
export const resetsPasswords = ({
  passwordResetUrl,
  mail,
}: Pick<Services['config'], 'passwordResetUrl' | 'mail'>): boolean => passwordResetUrl === '' && mail !== undefined

/** A request counts for its address, whoever makes it. Throws `too_many_attempts`. */
export const takeRequest = (app: Pick<Services, 'system' | 'clock'>, email: string): Promise<void> =>
  takeTry(app, `password-reset/${email.toLowerCase()}`, requestsOfAddress)

const writeReset = (app: Services, email: string, account: Awaited<ReturnType<typeof findByEmail>>): Promise<void> =>
  inClients(app.system, [], (tx) => queueReset(app, tx, email, account))

/** Mails the link. A newer one invalidates older ones. */
export async function queueReset(
  app: Pick<Services, 'clock' | 'secrets' | 'jobs'>,
  tx: Tx,
  email: string,
  account: Awaited<ReturnType<typeof findByEmail>>,
): Promise<void> {
  const now = app.clock.now()
  const uid = randomUUID()
  const expiresAt = new Date(now.getTime() + passwordResetMinutes * 60_000)
  const accountUid = account?.uid ?? null
  await lockAccounts(tx, { email: email.toLowerCase() })
  await voidResets(tx, email, now)
  await insertReset(tx, {
    uid,
    accountUid,
    email: account?.email ?? null,
    tokenHash: sha256(resetToken(app.secrets.passwordResets, uid)),
    expiresAt,
  })
  await queueMail(app.jobs, tx, {
    kind: 'password_reset',
    accountUid,
    toEmail: account?.email ?? null,
    subject: 'Set a new password for All Wardens',
    body: requestText(account ? greeted(account) : ''),
    passwordResetUid: uid,
    validUntil: expiresAt,
  })
}

/**
 * Sets the password once per link, in every organisation with the link's address. Ends all sessions of
 * those accounts and informs the person by mail. A repeat with the same password succeeds and changes nothing.
 */
export async function setPassword(
  app: Services,
  { token, password }: { token: string; password: string },
  network: Network,
): Promise<CallAnswer<typeof resetPassword>> {
  const turn = { lane: network.site, rank: 0 }
  const reset = await inStrangersTurn(turn.lane, () => findOpenReset(app.system, sha256(token), app.clock.now()))
  const problem = reset && (await newPasswordProblem(password, reset))
  if (problem) return { outcome: problem }
  // a token that was never issued costs one look-up and stores nothing
  if (!reset && (await listStanding(app, token, turn)).length === 0) return { outcome: 'link_over' }
  await takeTry(app, `password-change/${sha256(token).toString('base64url')}`, triesOfLink)
  if (!reset) return { outcome: await outcomeOfUsed(app, token, password, turn) }

  const passwordHash = await hashPassword(password, turn)
  const clientUids = reset.people.map(({ clientUid }) => clientUid)
  const isChanged = await inClients(app.system, clientUids, (tx) => change(app, tx, reset, passwordHash))
  if (!isChanged) return { outcome: await outcomeOfUsed(app, token, password, turn) }
  app.announce()
  await forgetTries(
    app,
    reset.people.map(({ accountUid }) => accountUid),
    network,
  )
  app.metrics.signIns.inc({ outcome: 'password_changed' })
  return { outcome: 'changed' }
}

async function outcomeOfUsed(app: Services, token: string, password: string, turn: Turn): Promise<ResetOutcome> {
  for (const standing of await listStanding(app, token, turn))
    if (await verifyPassword(standing, password, turn)) return 'changed'
  return 'link_over'
}

const listStanding = ({ system, clock }: Services, token: string, { lane }: Turn) =>
  inStrangersTurn(lane, () => listPasswordsSetBy(system, sha256(token), clock.now()))

async function change(app: Services, tx: Tx, reset: OpenReset, passwordHash: string): Promise<boolean> {
  const { email } = reset
  const now = app.clock.now()
  const held = await lockAccounts(tx, { email })
  const people = reset.people.filter(({ accountUid }) => held.includes(accountUid))
  const [first] = people
  if (!first || !(await redeemReset(tx, reset.uid, now))) return false
  const accountUids = people.map(({ accountUid }) => accountUid)
  await setPasswordHash(tx, accountUids, passwordHash)
  await endSessions(tx, accountUids)
  await recordAll(
    tx,
    people.map(({ accountUid, clientUid, personUid }) => ({
      actor: { clientUid, personUid, signInUid: null },
      action: 'password_changed',
      subjectType: 'account',
      subjectUid: accountUid,
    })),
  )
  await queueMail(app.jobs, tx, {
    kind: 'password_changed',
    accountUid: first.accountUid,
    toEmail: email,
    subject: 'Your password was changed',
    body: changedText(greeted(first)),
    passwordResetUid: null,
    validUntil: new Date(now.getTime() + noticeHours * 3_600_000),
  })
  return true
}

async function takeTry(
  { system, clock }: Pick<Services, 'system' | 'clock'>,
  key: string,
  rule: ThrottleRule,
): Promise<void> {
  if (await takeRecent(system, key, rule, clock.now())) return
  throw new Refusal('too_many_attempts', `Too many attempts. Try again in ${rule.minutes} minutes.`)
}

/** The first name, or the one name that someone has. */
const greeted = ({ firstName, lastName }: { firstName: string; lastName: string }) => firstName || lastName

const requestText = (name: string) =>
  fill(
    `Hello {name}, someone, probably you or your administrator, has asked to set a new password for All Wardens. Open this link within {minutes} minutes and choose one:

{link}

The link works once. If you did not ask for it, do nothing: your password stays as it is.`,
    { name, minutes: passwordResetMinutes },
  )

const changedText = (name: string) =>
  fill(
    `Hello {name},

your password was changed. You are signed out everywhere, and can sign in with the new password.

If it was not you, choose 'Forgot Password' on the sign-in page now, and tell your administrator.`,
    { name },
  )
