import { holdAdministrators } from '#features/administrators/server/administrators.queries.ts'
import { requireWholeAdministrator } from '#features/administrators/server/administrators.service.ts'
import { dropOpposite } from '#features/assignments/server/deferred-changes/deferred-changes.service.ts'
import { asAdministrator } from '#features/authority/server/decide.ts'
import { decideEach, inAct } from '#features/authority/server/in-act.service.ts'
import { tellingOf } from '#features/authority/server/told.service.ts'
import { endAccount, markMergedPassword } from '#features/authority/server/writes/accounts.queries.ts'
import { voidInvitations } from '#features/authority/server/writes/invitations.queries.ts'
import { joinPeople } from '#features/authority/server/writes/people.queries.ts'
import { changeDirectory, holdDirectory, requireNone } from '#features/directory/server/change-directory.service.ts'
import { revokeConsoleSessions } from '#features/sign-in/server/console/console-session.queries.ts'
import { dropSecondFactor } from '#features/sign-in/server/console/console-session.service.ts'
import { endSessions } from '#features/sign-in/server/session.service.ts'
import type { PersonUid } from '#kernel/ids.ts'
import type { CallAnswer, CallInput } from '#kernel/route.ts'
import { type Administrator, journalAdministrator } from '#server/administrators/administrator.ts'
import type { Tx } from '#server/platform/db/db.ts'
import { record } from '#server/platform/db/journal.ts'
import { Refusal } from '#server/platform/errors.ts'
import type { mergePeople } from '../calls/duplicates.ts'
import { requireNoEvent } from './erase.service.ts'
import { joinAssignments } from './merge/merged-assignments.service.ts'
import * as queries from './merge.queries.ts'
import type { PersonRecord } from './person.queries.ts'
import { type Changing, cellsOf, changedSince, hold } from './person.service.ts'

type Input = CallInput<typeof mergePeople>['body']

/**
 * One person in place of two. Who goes is deactivated and points to who stays; what happened stays with them. Both
 * are changed by the rules of an import. Who goes has no grant, and someone with a grant keeps their own sign-in.
 */
export async function merge(
  app: Changing,
  tx: Tx,
  administrator: Administrator,
  input: Input,
): Promise<CallAnswer<typeof mergePeople>> {
  const both = await holdBoth(tx, administrator, input)
  const { stays, goes } = both
  const [telling, actor] = [tellingOf(app), asAdministrator(administrator)]
  const decided = (await decideEach(telling, tx, actor, 'merge_stays', [stays.uid])).get(stays.uid)
  const keepsOwn = decided?.keepsOwn ?? false
  return inAct(telling, tx, actor, { act: 'merge_goes', people: [goes.uid] }, () =>
    inAct(telling, tx, actor, { act: 'merge_stays', people: [stays.uid] }, () =>
      mergeInAct(app, tx, administrator, { ...both, takes: new Set(input.take), keepsOwn }),
    ),
  )
}

interface Merge extends Both {
  takes: ReadonlySet<Input['take'][number]>
  /** Sign-in, email and mobile of who stays are not touched. */
  keepsOwn: boolean
}

async function mergeInAct(
  app: Changing,
  tx: Tx,
  administrator: Administrator,
  merge: Merge,
): Promise<CallAnswer<typeof mergePeople>> {
  const { clientUid } = administrator
  const { stays, goes, takes } = merge
  const merging = { clientUid, stays: stays.uid, goes: goes.uid }
  const parts = await queries.findParts(tx, merging)
  if (parts.staysHasPlan && parts.goesHasPlan && !administrator.seesPlans)
    throw new Refusal('forbidden', 'Both have a plan: only someone who may see plans can merge them.')
  const planOf = parts.goesHasPlan && (takes.has('plan') || !parts.staysHasPlan) ? goes.uid : stays.uid
  await voidInvitations(tx, { clientUid, personUid: goes.uid })
  const isMoved = await joinAccounts(tx, merging, parts, { ...merge, byPersonUid: administrator.personUid })
  const entered = isMoved && goes.username !== null && { after: { fields: ['username'] } }
  await queries.movePlans(tx, merging, planOf)
  await changeBoth(app, tx, administrator, merge)
  await queries.moveBelongings(tx, merging)
  await joinAssignments(tx, journalAdministrator(administrator), merging)
  await dropOpposite(tx, administrator, { personUid: goes.uid })
  await requireWholeAdministrator(tx, clientUid, stays.uid)
  await record(tx, journalAdministrator(administrator), [
    { action: 'person_merged', subjectType: 'person', subjectUid: goes.uid, after: { person_uid: stays.uid } },
    {
      action: 'person_merged',
      subjectType: 'person',
      subjectUid: stays.uid,
      before: { person_uid: goes.uid },
      ...entered,
    },
  ])
  return { status: 'merged' }
}

type Both = Record<'stays' | 'goes', PersonRecord>

/** Both within reach, as they were read, and free to be merged. Other changes of the directory wait. */
async function holdBoth(tx: Tx, administrator: Administrator, input: Input): Promise<Both> {
  if (input.stays === input.goes) throw new Refusal('invalid_request', 'These are the same person.', ['goes'])
  await holdDirectory(tx, administrator.clientUid)
  await holdAdministrators(tx, administrator.clientUid)
  const stays = await hold(tx, administrator, input.stays)
  const goes = await hold(tx, administrator, input.goes)
  if (stays.version !== input.stays_version) throw await changedSince(tx, administrator, stays)
  if (goes.version !== input.goes_version) throw await changedSince(tx, administrator, goes)
  if (![stays, goes].every(({ active, kind }) => active && kind === 'staff'))
    throw new Refusal('invalid_transition', 'Only active staff can be merged.')
  await requireNoEvent(tx, administrator, [stays.uid, goes.uid])
  return { stays, goes }
}

/** An account that no one can sign in to with a name or a password yet is none. */
const hasSignIn = ({ hasPassword, username }: PersonRecord) => hasPassword || username !== null

/**
 * One account remains: that of who stays, unless there is none or the other one is taken. Who used another signs in again.
 * No second factor comes by a merge, and a password that was set at the address of the other one is marked. True if who stays
 * signs in as who goes did.
 */
async function joinAccounts(
  tx: Tx,
  merging: queries.Merging,
  parts: Awaited<ReturnType<typeof queries.findParts>>,
  { byPersonUid, ...merge }: Merge & { byPersonUid: PersonUid },
): Promise<boolean> {
  const { stays, goes, takes, keepsOwn } = merge
  const { staysAccountUid, goesAccountUid } = parts
  const isTaken = !keepsOwn && (takes.has('sign_in') || (!hasSignIn(stays) && hasSignIn(goes)))
  const isMoved = goesAccountUid !== null && !keepsOwn && (isTaken || staysAccountUid === null)
  const [kept, over] = isMoved ? [goesAccountUid, staysAccountUid] : [staysAccountUid, goesAccountUid]
  const ending = [goesAccountUid, ...(isMoved ? [staysAccountUid] : [])].filter((uid) => uid !== null)
  await endSessions(tx, ending)
  await revokeConsoleSessions(tx, ending)
  await joinPeople(tx, merging, kept)
  if (over) await endAccount(tx, over)
  if (kept && isMoved) await dropSecondFactor(tx, kept)
  if (kept && (isMoved || givenOf(merge, 'email') !== stays.email)) await markMergedPassword(tx, kept, byPersonUid)
  return isMoved
}

/** The address of who stays from now on: the own one, unless there is none or the other one is taken. */
const givenOf = ({ stays, goes, takes, keepsOwn }: Merge, name: 'email' | 'mobile') =>
  !keepsOwn && (takes.has(name) || stays[name] === null) ? goes[name] : stays[name]

/** Who goes is deactivated; who stays gets what is taken, and what they do not have. */
async function changeBoth(app: Changing, tx: Tx, administrator: Administrator, merge: Merge): Promise<void> {
  const { stays, goes, takes } = merge
  const by = journalAdministrator(administrator)
  const change = async (people: Parameters<typeof changeDirectory>[1]['rows']['people']) =>
    requireNone(await changeDirectory(tx, { by, rows: { people: people ?? [] }, now: app.now }))
  await change([{ uid: goes.uid, active: 'no' }])
  const mobile = givenOf(merge, 'mobile')
  const secondMobile = stays.secondMobile ?? goes.secondMobile
  const floor = takes.has('place') || stays.floor === null ? goes.floor : null
  if (takes.has('code')) await queries.setCode(tx, administrator.clientUid, goes.uid, `merged-${goes.uid}`)
  await change([
    {
      uid: stays.uid,
      ...(takes.has('first_name') && { first_name: goes.firstName }),
      ...(takes.has('last_name') && { last_name: goes.lastName }),
      ...(takes.has('code') && { code: goes.code }),
      // always: the account follows both
      email: givenOf(merge, 'email') ?? '',
      mobile: mobile ? `+${mobile}` : '',
      // another phone of the same person is lost to no merge
      second_mobile: secondMobile ? `+${secondMobile}` : '',
      ...(floor && (await cellsOf(tx, administrator, { place: floor.uid }))),
    },
  ])
  if (takes.has('code')) await queries.setCode(tx, administrator.clientUid, goes.uid, stays.code)
}
