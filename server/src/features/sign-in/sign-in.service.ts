import type { AuthReply } from '@evac/contract/sign-in.ts'
import type { SignInMethod } from '@evac/contract/vocabulary.ts'
import { type Actor, journalActor } from '../../platform/actor.ts'
import { inClients, type Tx } from '../../platform/db.ts'
import { Refusal } from '../../platform/errors.ts'
import { record } from '../../platform/journal.ts'
import { verifyNobody, verifyPassword } from '../../platform/passwords.ts'
import type { Services } from '../../platform/services.ts'
import { clearFailures, countFailure, isThrottled, takeAttempt } from '../../platform/throttle.ts'
import { goOffDuty } from '../report-in/attendance.service.ts'
import { listCards } from '../report-in/report-in.service.ts'
import { findProfile, holdAccounts, listAccountsNamed, revokeSession, setSessionAssignment } from './session.queries.ts'
import { endOfSession, openSession } from './session.service.ts'

/** By account and network together: guessing from elsewhere never locks an honest warden out (T11). */
const triesOfAccount = { limit: 10, minutes: 15 }
/** High, because a whole office stands behind one address. */
const failuresOfNetwork = { limit: 300, minutes: 15 }

/** LOGIN-37, LOGIN-38, LOGIN-50, LOGIN-56: password sign-in. The session is bound to the first card (AMB-040). */
export async function signIn(app: Services, entry: string, password: string, network: string): Promise<AuthReply> {
  const name = entry.trim().toLowerCase()
  const now = app.clock.now()
  const keys = { account: triesKey(name, network), network: `login/${network}` }
  if (await isThrottled(app.system, keys.network, failuresOfNetwork, now)) throw throttled()
  if (!(await takeAttempt(app.system, keys.account, triesOfAccount, now))) throw throttled()

  const opened = await openedBy(await listAccountsNamed(app.system, name), password)
  if (opened.length === 0) {
    await countFailure(app.system, keys.network, failuresOfNetwork, now)
    app.metrics.signIns.inc({ outcome: 'invalid_credentials' })
    throw new Refusal('invalid_credentials')
  }

  await clearFailures(app.system, keys.account)
  return openFirstSession(app, opened, name.includes('@') ? 'Email' : 'Username')
}

type Opened = { uid: string; passwordHash: string }

/**
 * AMB-038: each organisation's account opens by its own password alone, whoever else has the name. The same work where
 * nobody has it (T9); a link sets one hash at all of them, which is checked once.
 */
async function openedBy(accounts: Awaited<ReturnType<typeof listAccountsNamed>>, password: string): Promise<Opened[]> {
  const known = accounts.filter((account): account is Opened => account.passwordHash !== null)
  const hashes = new Set(known.map(({ passwordHash }) => passwordHash))
  if (hashes.size === 0) await verifyNobody(password)
  const right = new Set<string>()
  for (const hash of hashes) if (await verifyPassword(hash, password)) right.add(hash)
  return known.filter(({ passwordHash }) => right.has(passwordHash))
}

const triesKey = (name: string, network: string) => `login/${name}/${network}`

/** Who has just set a new password may use it, however often the old one was guessed before. */
export async function forgetFailures(app: Services, names: readonly (string | null)[], network: string): Promise<void> {
  for (const name of names) if (name) await clearFailures(app.system, triesKey(name.toLowerCase(), network))
}

const throttled = () => new Refusal('too_many_attempts', 'Too many failed attempts. Try again in 15 minutes.')

async function openFirstSession(
  app: Services,
  opened: readonly Opened[],
  signInMethod: SignInMethod,
): Promise<AuthReply> {
  const expiresAt = endOfSession(app.clock)
  const reply = await inClients(app.system, [], async (tx) => {
    const accountUids = await holdAccounts(tx, opened)
    if (accountUids.length === 0) throw new Refusal('invalid_credentials')
    const [card] = await listCards(tx, accountUids)
    if (!card) {
      app.metrics.signIns.inc({ outcome: 'unauthorized_access' })
      throw new Refusal('unauthorized_access')
    }
    return openSession(tx, app.secrets.access, card, {
      accountUids,
      signInMethod,
      isReportInToken: false,
      linkSignInUid: null,
      expiresAt,
    })
  })
  app.metrics.signIns.inc({ outcome: 'signed_in' })
  return reply
}

/** SESSION-16, SESSION-25..27, AMB-046; `clientUids` are those that `clientsLeft` answers, and the transaction sees. */
export async function signOut(tx: Tx, actor: Actor, clientUids: readonly string[]) {
  if (!(await goOffDuty(tx, actor, clientUids)))
    return {
      status: 'cannot_logout' as const,
      message:
        'You are the only Event Manager on duty. Conclude the event or have another Event Manager report in first.',
    }
  await revokeSession(tx, actor.sessionUid)
  const signInUid = actor.signIn?.uid
  await record(tx, journalActor(actor), {
    action: 'session_ended',
    subjectType: signInUid ? 'sign_in' : 'session',
    subjectUid: signInUid ?? actor.sessionUid,
    eventUid: actor.event?.uid ?? null,
  })
  return { status: 'logout_success' as const, message: 'You have been signed out.' }
}

/** A manager who starts an event at another of their sites acts there from now on (AMB-040, AMB-096). */
export async function rebindSession(tx: Tx, sessionUid: string, assignmentUid: string): Promise<void> {
  await setSessionAssignment(tx, sessionUid, assignmentUid)
}

/** API-12, SESSION-11. */
export async function profileOf(tx: Tx, actor: Actor) {
  const person = await findProfile(tx, actor.personUid)
  if (!person) throw new Refusal('not_found')
  return {
    Firstname: person.firstName,
    Lastname: person.lastName,
    Email: person.email,
    Mobile: person.mobile,
    Is_Client_Master: person.isClientMaster,
    Client_UID: person.clientUid,
    Primary_Location_Floor_UID: person.primaryFloorUid,
  }
}
