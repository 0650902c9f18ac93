import type { ClientUid, PersonUid } from '#kernel/ids.ts'
import type { Tx } from '#server/platform/db/db.ts'
import { record } from '#server/platform/db/journal.ts'
import { Refusal } from '#server/platform/errors.ts'
import { type Act, acts } from '../table.ts'
import { beyondReach, isSignInChange, othersPlansEnded, type SignInChange, signInChanges } from '../words.ts'
import { type ActingAs, type Decision, decide, gainsBeyond } from './decide.ts'
import * as power from './power.queries.ts'
import { insertChanges } from './sign-in-changes.queries.ts'
import { findNameOf, keepFormer } from './told.queries.ts'
import { type Telling, type Told, tell } from './told.service.ts'
import { endPlansPermission } from './writes/grants.queries.ts'

/** What runs in a transaction: whom its acts name, what they could do before, and which accounts were written. */
interface Running {
  app: Telling
  actor: ActingAs
  before: Map<PersonUid, power.Power>
  done: { act: Act; personUid: PersonUid; decision: Decision; keepsPlans: boolean }[]
  accounts: Set<string>
}

const running = new WeakMap<Tx, Running>()

export interface ActOptions {
  /** A holder of the Plans permission gives it again to a person whose act would end it. */
  givesPlansAgain?: boolean
  /** People who get an account with the names that they have. Nothing else of their sign-in may change. */
  also?: readonly PersonUid[]
}

/**
 * Runs one act on these people, as the table of authority allows it: locks them, reads what they can do, decides, runs `work`,
 * reads again, and tells whom it must. An act within another one of the same transaction is a part of it. Throws `beyond_reach`,
 * `forbidden`, `invalid_transition`, `confirm_identity` and `last_administrator`. Everyone is within reach: the caller looks.
 */
export async function inAct<T>(
  app: Telling,
  tx: Tx,
  actor: ActingAs,
  { act, people, also = [], ...options }: { act: Act; people: readonly PersonUid[] } & ActOptions,
  work: () => Promise<T>,
): Promise<T> {
  const outer = running.get(tx)
  const open: Running = outer ?? { app, actor, before: new Map(), done: [], accounts: new Set() }
  await begin(tx, open, [...people, ...also])
  for (const personUid of people) {
    const decision = decideHeld(open, act, personUid)
    if (decision.refusal) throw decision.refusal
    if (decision.needsCode && actor.kind === 'administrator' && !actor.isConfirmed)
      throw new Refusal('confirm_identity')
    const keepsPlans = (options.givesPlansAgain ?? false) && actor.kind === 'administrator' && actor.seesPlans
    open.done.push({ act, personUid, decision, keepsPlans })
  }
  if (outer) return work()
  running.set(tx, open)
  try {
    const result = await work()
    await settle(tx, open)
    return result
  } finally {
    running.delete(tx)
  }
}

/** Locks the people and reads what they can do before the act. */
async function begin(tx: Tx, { actor, before }: Running, people: readonly PersonUid[]) {
  const further = people.filter((uid) => !before.has(uid))
  if (further.length === 0) return
  await power.holdGrants(tx, actor.clientUid)
  await power.lockPeople(tx, actor.clientUid, further)
  for (const one of await power.readPower(tx, actor.clientUid, further)) before.set(one.personUid, one)
}

function decideHeld({ app, actor, before }: Running, act: Act, personUid: PersonUid): Decision {
  const held = before.get(personUid)
  if (!held) throw new Refusal('not_found')
  return decide(actor, act, held, { sendsMail: app.sends.mails })
}

/** What the act would do to these people, without doing it: the reason of each who must be left, and who needs a code. */
export async function decideEach(
  app: Pick<Telling, 'sends'>,
  tx: Parameters<typeof power.readPower>[0],
  actor: ActingAs,
  act: Act,
  people: readonly PersonUid[],
): Promise<Map<PersonUid, Decision>> {
  const held = await power.readPower(tx, actor.clientUid, people)
  const sends = { sendsMail: app.sends.mails }
  return new Map(held.map((one) => [one.personUid, decide(actor, act, one, sends)]))
}

interface ActOn {
  refusal: string | null
  ends_plans: boolean
  keeps_own: boolean
  needs_code: boolean
}

/** What the administrator may do to a person, act by act, for the page of the person. */
export async function presentAuthority(
  app: Pick<Telling, 'sends'>,
  tx: Tx,
  actor: ActingAs,
  personUid: PersonUid,
): Promise<Record<Act, ActOn>> {
  const [held] = await power.readPower(tx, actor.clientUid, [personUid])
  if (!held) throw new Refusal('not_found')
  const present = (act: Act): ActOn => {
    const { refusal, endsPlans, keepsOwn, needsCode } = decide(actor, act, held, { sendsMail: app.sends.mails })
    return {
      refusal: refusal?.message ?? null,
      ends_plans: endsPlans,
      keeps_own: keepsOwn,
      needs_code: needsCode,
    }
  }
  return Object.fromEntries(acts.map((act) => [act, present(act)])) as Record<Act, ActOn>
}

/**
 * The acts of the rows of a table, as `inAct` runs one. People whom an outer act of the transaction names are left to that act.
 */
export async function inTable<T>(
  app: Telling,
  tx: Tx,
  actor: ActingAs,
  acts: readonly { act: Act; people: readonly PersonUid[] }[],
  also: readonly PersonUid[],
  work: () => Promise<T>,
): Promise<T> {
  const named = running.get(tx)?.before
  const own = acts
    .map(({ act, people }) => ({ act, people: people.filter((uid) => !named?.has(uid)) }))
    .filter(({ people }) => people.length > 0)
  const run = (at: number): Promise<T> => {
    const next = own[at]
    return next ? inAct(app, tx, actor, next, () => run(at + 1)) : work()
  }
  return inAct(app, tx, actor, { act: 'address', people: [], also }, () => run(0))
}

/** Notes accounts that a statement has written. Outside an act nothing of a sign-in is written: that is a bug. */
export function noteAccounts(tx: Tx, accounts: readonly (string | null)[]): void {
  const open = running.get(tx)
  if (!open) throw new Error('a sign-in is written outside an act')
  for (const uid of accounts) if (uid) open.accounts.add(uid)
}

/** After the work: no one else may have been touched, no one gained what could not be given, and who must be told is told. */
async function settle(tx: Tx, open: Running): Promise<void> {
  const { actor, before } = open
  const { clientUid } = actor
  const strangers = (await power.listOfAccounts(tx, clientUid, [...open.accounts])).filter((uid) => !before.has(uid))
  const people = [...before.keys(), ...strangers]
  const after = new Map((await power.readPower(tx, clientUid, people)).map((one) => [one.personUid, one]))
  const isGranted = (one: power.Power | undefined) => one?.grant != null
  const isAppointed = (uid: PersonUid) =>
    actor.kind === 'operator' || open.done.some(({ act, personUid }) => act === 'appoint' && personUid === uid)
  const named = new Set(open.done.map(({ personUid }) => personUid))
  for (const [uid, one] of after) {
    const was = before.get(uid)
    const isOpened = was && (was.accountUid === null || signInOf(was) === signInOf(one))
    const hasPower = one.grant !== null || one.roles.length > 0
    if (!named.has(uid) && !isOpened && hasPower && actor.kind !== 'operator')
      throw new Refusal('beyond_reach', beyondReach(one.name))
  }
  for (const [uid, one] of after)
    if (
      gainsBeyond(actor, before.get(uid), one) ||
      (isGranted(one) && !isGranted(before.get(uid)) && !isAppointed(uid))
    )
      throw new Refusal('beyond_reach', beyondReach(one.name))
  await makeConsequences(tx, open, after)
  const wasUsable = [...before.values()].some(({ grant }) => grant?.isUsable && grant.reach === 'organisation')
  if (wasUsable && actor.kind !== 'operator' && !(await power.hasUsable(tx, clientUid)))
    throw new Refusal('last_administrator')
}

const addressesOf = ({ email, accountEmail }: power.Power) => [accountEmail, email].filter((one) => one !== null)
const signInOf = ({ accountUid, accountEmail, accountMobile, username, email, mobile }: power.Power) =>
  JSON.stringify([accountUid, accountEmail, accountMobile, username, email, mobile])

async function makeConsequences(tx: Tx, { app, actor, before, done }: Running, after: Map<PersonUid, power.Power>) {
  const { clientUid } = actor
  const by = actor.kind === 'operator' ? actor.name : await findNameOf(tx, clientUid, actor.personUid)
  const changes: { personUid: PersonUid; what: SignInChange }[] = []
  for (const { act, personUid, decision, keepsPlans } of done) {
    const [was, is] = [before.get(personUid), after.get(personUid)]
    if (!was || !is || (act === 'address' && signInOf(was) === signInOf(is))) continue
    if (decision.tells && isSignInChange(act)) changes.push({ personUid, what: act })
    if (!decision.endsPlans || keepsPlans || !is.grant?.seesPlans) continue
    await endPlans(tx, actor, is.grant.uid, personUid)
    is.grant = { ...is.grant, seesPlans: false }
  }
  await keepFormer(tx, clientUid, leftAddresses(before, after))
  const ended = [...before.values()].filter(
    (was) => was.grant?.seesPlans && !after.get(was.personUid)?.grant?.seesPlans,
  )
  for (const { personUid } of ended) changes.push({ personUid, what: 'plans_ended' })
  const holders = ended.length > 0 ? await power.listHolders(tx, clientUid) : []
  const known = new Map(before)
  const further = holders.filter((uid) => !before.has(uid))
  for (const one of await power.readPower(tx, clientUid, further)) known.set(one.personUid, one)
  const notices = [
    ...changes.map(({ personUid, what }) => ({ uid: personUid, subject: signInChanges[what].told(by) })),
    ...holders.flatMap((uid) => ended.map(({ name }) => ({ uid, subject: othersPlansEnded(name) }))),
  ].map(({ uid, subject }) => ({ to: toldOf(known.get(uid)), subject }))
  await insertChanges(tx, clientUid, { changes, byPersonUid: actor.personUid, at: app.now })
  await tell(app, tx, clientUid, { notices, by })
}

/** Addresses that people have had until this act. */
function leftAddresses(before: Running['before'], after: Running['before']) {
  return [...before].flatMap(([personUid, was]) => {
    const is = after.get(personUid)
    const kept = new Set(is ? addressesOf(is).map((email) => email.toLowerCase()) : [])
    const left = addressesOf(was).map((email) => email.toLowerCase())
    return [...new Set(left)].filter((email) => !kept.has(email)).map((email) => ({ personUid, email }))
  })
}

function toldOf(was: power.Power | undefined): Told {
  if (!was) throw new Error('someone to tell who was not read')
  return {
    personUid: was.personUid,
    accountUid: was.accountUid,
    emails: addressesOf(was),
    mobile: was.accountMobile ?? was.mobile,
  }
}

async function endPlans(tx: Tx, actor: ActingAs, grantUid: string, personUid: PersonUid) {
  const uid = await endPlansPermission(tx, actor.clientUid, grantUid, actor.personUid)
  if (!uid) return
  await record(tx, journalOf(actor), {
    action: 'administrator_appointed',
    subjectType: 'administrator',
    subjectUid: uid,
    after: { person_uid: personUid, sees_plans: false },
  })
}

const journalOf = ({ clientUid, personUid }: ActingAs) => ({
  clientUid: clientUid as ClientUid,
  personUid,
  signInUid: null,
})
