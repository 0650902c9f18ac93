import { goOffDuty } from '#features/duty/server/go-on-duty.service.ts'
import { findFirstCard } from '#features/duty/server/report-in.service.ts'
import type { ClientUid } from '#kernel/ids.ts'
import type { CallAnswer } from '#kernel/route.ts'
import type { SignInMethod } from '#kernel/vocabulary.ts'
import type { Services } from '#server/http/services.ts'
import { inClients, type Tx } from '#server/platform/db/db.ts'
import { record } from '#server/platform/db/journal.ts'
import type { Device } from '#server/platform/device.ts'
import { Refusal } from '#server/platform/errors.ts'
import { inStrangersTurn } from '#server/platform/fair-turns.ts'
import { verifyNobody, verifyPassword, waitAsNobody } from '#server/platform/passwords.ts'
import { type Actor, journalActor } from '#server/wardens/actor.ts'
import type { AuthReply, getProfile, logout } from '../calls/sign-in.ts'
import { findByPassword } from './ask-elsewhere.service.ts'
import { type Asker, type Attempt, hold, laneOf, newDevice, takeTry } from './guessing.service.ts'
import { findProfile, holdAccounts, listAccountsNamed, revokeSession } from './session.queries.ts'
import { endOfSession, openSession } from './session.service.ts'

interface SignedIn {
  reply: AuthReply
  /** The mark by which the phone is recognised at its next sign-in. */
  device: string
}

/** Password sign-in. The session is bound to the first card. */
export async function signIn(
  app: Services,
  { email, password }: { email: string; password: string },
  asker: Asker,
  phone: Device,
): Promise<SignedIn> {
  const opened = await provePassword(app, { name: email, password }, asker)
  const reply = await openFirstSession(app, opened, email.includes('@') ? 'Email' : 'Username', phone)
  return { reply, device: newDevice(app.secrets.devices, opened[0].uid) }
}

/**
 * The accounts that name and password open, at least one. Wrong ones count against name and address, whoever asks. Throws
 * `invalid_credentials` or `too_many_attempts`, and `elsewhere` with the address where they open one. An installation with a directory
 * refuses after the same time whatever that said, so that no one learns which names there are, here or elsewhere.
 */
export async function provePassword(
  app: Services,
  entry: { name: string; password: string },
  asker: Asker,
): Promise<[Opened, ...Opened[]]> {
  const since = performance.now()
  const { name, opened, movedTo, isKnown, attempt } = await tryPassword(app, entry, asker)
  const [first, ...further] = opened
  if (first) return [first, ...further]
  if (movedTo) throw elsewhere(app, movedTo)

  const tried = performance.now()
  const address = isKnown ? undefined : await findByPassword(app, name, entry.password, asker.network)
  if (address !== undefined) {
    await attempt.wasRight(attempt.open)
    throw elsewhere(app, address)
  }
  await hold(since, attempt.holdMs)
  await hold(tried, app.cells?.patienceMs ?? 0)
  app.metrics.signIns.inc({ outcome: 'invalid_credentials' })
  throw new Refusal('invalid_credentials')
}

function elsewhere({ metrics }: Services, address: string): Refusal {
  metrics.signIns.inc({ outcome: 'elsewhere' })
  return new Refusal('elsewhere', `You sign in at ${address}.`, undefined, { address })
}

/**
 * One try at the accounts of this installation, which counts. Those of organisations that have moved open nothing, and say where to go:
 * a password of before opens them only here. Throws `too_many_attempts`.
 */
export async function tryPassword(
  app: Services,
  { name: entry, password }: { name: string; password: string },
  asker: Asker,
) {
  const name = entry.trim().toLowerCase()
  const { accounts, attempt } = await inStrangersTurn(laneOf(app, asker), async () => {
    const accounts = await listAccountsNamed(app.system, name)
    return { accounts, attempt: await takeTry(app, name, uidsOf(accounts), asker) }
  })
  const opened = await openedBy(accounts, password, attempt)
  if (opened.length > 0) await attempt.wasRight(uidsOf(opened))
  const isHere = ({ movedTo }: { movedTo: string | null }) => movedTo === null
  return {
    name,
    opened: opened.filter(isHere),
    movedTo: opened.find((account) => !isHere(account))?.movedTo,
    isKnown: accounts.some(isHere),
    attempt,
  }
}

/** An account whose password was right, and the hash that it was right for. */
export type Opened = { uid: string; passwordHash: string; movedTo: string | null }
const uidsOf = (accounts: readonly { uid: string }[]) => accounts.map(({ uid }) => uid)

/**
 * Checks the password against each organisation's account of the name. Accounts with the same hash, set by one
 * link, are checked once. An unknown name costs the same work, or its answer is delayed for longer than the work.
 */
async function openedBy(
  accounts: Awaited<ReturnType<typeof listAccountsNamed>>,
  password: string,
  { turn, open, holdMs }: Attempt,
): Promise<Opened[]> {
  const known = accounts.filter(
    (account): account is Opened => account.passwordHash !== null && open.includes(account.uid),
  )
  const hashes = new Set(known.map(({ passwordHash }) => passwordHash))
  if (hashes.size === 0) await (holdMs ? waitAsNobody(turn) : verifyNobody(password, turn))
  const right = new Set<string>()
  for (const hash of hashes) if (await verifyPassword(hash, password, turn)) right.add(hash)
  return known.filter(({ passwordHash }) => right.has(passwordHash))
}

/** Opens a warden's session at the first card of these accounts. Throws `unauthorized_access` without a card. */
export async function openFirstSession(
  app: Services,
  opened: readonly { uid: string; passwordHash?: string }[],
  signInMethod: SignInMethod,
  device: Device | null,
): Promise<AuthReply> {
  const expiresAt = endOfSession(app.clock)
  const reply = await inClients(app.system, [], async (tx) => {
    const accountUids = await holdAccounts(tx, opened)
    if (accountUids.length === 0) throw new Refusal('invalid_credentials')
    const card = await findFirstCard(tx, accountUids)
    if (!card) {
      app.metrics.signIns.inc({ outcome: 'unauthorized_access' })
      throw new Refusal('unauthorized_access')
    }
    return openSession(tx, app.secrets.access, card, {
      accountUids,
      signInMethod,
      isReportInToken: false,
      linkSignInUid: null,
      device,
      expiresAt,
    })
  })
  app.metrics.signIns.inc({ outcome: 'signed_in' })
  return reply
}

/** Signs out. The transaction must see `clientUids`, the result of `clientsLeft`. */
export async function signOut(
  tx: Tx,
  actor: Actor,
  clientUids: readonly ClientUid[],
): Promise<CallAnswer<typeof logout>> {
  if (!(await goOffDuty(tx, actor, clientUids)))
    return {
      status: 'cannot_logout',
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
  return { status: 'logout_success', message: 'You have been signed out.' }
}

export async function profileOf(tx: Tx, actor: Actor): Promise<CallAnswer<typeof getProfile>> {
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
