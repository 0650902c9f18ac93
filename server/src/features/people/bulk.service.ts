import type { changePeople, movePeople } from '@evac/contract/calls/console/people-bulk.ts'
import { groupLimits } from '@evac/contract/console-rights.ts'
import type { GroupUid, PersonUid } from '@evac/contract/ids.ts'
import type { CallAnswer, CallInput } from '@evac/contract/route.ts'
import { type Administrator, journalAdministrator } from '../../administrators/administrator.ts'
import { within } from '../../administrators/reach.ts'
import type { Tx } from '../../platform/db/db.ts'
import { Refusal } from '../../platform/errors.ts'
import { holdAdministrators, requireWholeAdministrator } from '../administration/administrators.service.ts'
import { changeDirectory, holdDirectory, requireNone } from '../directory/change.service.ts'
import { setMembers } from '../groups/groups.service.ts'
import { putOff } from '../waiting/waiting.service.ts'
import * as queries from './bulk.queries.ts'
import { findPlaceCode } from './person.queries.ts'
import { type Invited, lockInvited } from './sign-in-acts.queries.ts'
import { type Acting, inviteHeld, refuseActs } from './sign-in-acts.service.ts'

type Input = CallInput<typeof changePeople>['body']
type Answer = CallAnswer<typeof changePeople>

/** More than so many, and more than a tenth of all, are deactivated with a code only (ORG-24, IMP-08). */
const manyDeactivated = 20

/** PPL-15: one act on ticked people, all of them within reach. */
export async function changeMany(
  app: Acting,
  tx: Tx,
  administrator: Administrator,
  { people, act, place, group }: Input,
): Promise<Answer> {
  if ((act === 'move') !== (place !== undefined)) throw new Refusal('invalid_request', undefined, ['place'])
  const isOfGroup = act === 'add_to_group' || act === 'take_out_of_group'
  if (isOfGroup !== (group !== undefined)) throw new Refusal('invalid_request', undefined, ['group'])
  const { clientUid } = administrator
  await holdDirectory(tx, clientUid)
  const uids = [...new Set(people)]
  const held = await lockInvited(tx, clientUid, within(administrator), uids)
  if (held.length < uids.length) throw new Refusal('not_found')
  if (act === 'invite') return inviteAll(app, tx, administrator, held)
  if (act === 'deactivate') return deactivateAll(app, tx, administrator, held)
  if (place) return done(await moveAll(app, tx, administrator, uids, place))
  return done(await changeGroup(tx, administrator, group as GroupUid, act, uids))
}

const done = (count: number): Answer => ({ done: count, waits: 0, left: [] })

const leftWith =
  (reason: string) =>
  ({ personUid, firstName, lastName }: Invited) => ({
    ...{ person: personUid, name: `${firstName} ${lastName}`, reason },
  })

/** ORG-17: administrators are for those of the whole organisation. */
function splitByReach({ reach }: Administrator, held: readonly Invited[]) {
  const mayTouch = (person: Invited) => !person.reach || reach.kind === 'organisation'
  return {
    own: held.filter(mayTouch),
    left: held.filter((person) => !mayTouch(person)).map(leftWith(refuseActs().message)),
  }
}

/** PPL-12, PPL-14: who cannot be invited is left, with the reason. */
async function inviteAll(app: Acting, tx: Tx, administrator: Administrator, held: readonly Invited[]): Promise<Answer> {
  const { own, left } = splitByReach(administrator, held)
  for (const person of own)
    try {
      await inviteHeld(app, tx, administrator, person)
    } catch (error) {
      if (!(error instanceof Refusal)) throw error
      left.push(leftWith(error.message)(person))
    }
  return { done: held.length - left.length, waits: 0, left }
}

/** PPL-08, ORG-12: of wardens on duty the deactivation waits. */
async function deactivateAll(
  app: Acting,
  tx: Tx,
  administrator: Administrator,
  held: readonly Invited[],
): Promise<Answer> {
  const { clientUid, personUid: byPersonUid } = administrator
  const { own, left } = splitByReach(administrator, held)
  const active = await queries.listActive(
    tx,
    clientUid,
    own.map(({ personUid }) => personUid),
  )
  if (active.length > manyDeactivated && !administrator.isConfirmed) {
    if (active.length * 10 > (await queries.countActive(tx, clientUid))) throw new Refusal('confirm_identity')
  }
  if (active.length === 0) return { done: 0, waits: 0, left }
  if (own.some(({ reach }) => reach)) await holdAdministrators(tx, clientUid)
  const rows = active.map((uid) => ({ uid, active: 'no' }))
  requireNone(
    await changeDirectory(tx, { by: journalAdministrator(administrator), rows: { people: rows }, now: app.now }),
  )
  const waiting = await queries.listActive(tx, clientUid, active)
  for (const personUid of waiting)
    await putOff(tx, { clientUid, personUid, assignmentUid: null, reason: null, byPersonUid, kind: 'deactivation' })
  for (const { personUid, reach } of own) if (reach) await requireWholeAdministrator(tx, clientUid, personUid)
  return { done: active.length - waiting.length, waits: waiting.length, left }
}

/** PPL-01: by the rules of an import, which says which of them cannot be there. */
async function moveAll(
  { now }: Pick<Acting, 'now'>,
  tx: Tx,
  administrator: Administrator,
  people: readonly PersonUid[],
  place: string,
): Promise<number> {
  const floor = await findPlaceCode(tx, administrator.clientUid, within(administrator), place)
  if (!floor) throw new Refusal('not_found')
  const rows = people.map((uid) => ({ uid, floor }))
  requireNone(await changeDirectory(tx, { by: journalAdministrator(administrator), rows: { people: rows }, now }))
  return rows.length
}

/** Groups are changed by administrators of the whole organisation, as on their page. */
async function changeGroup(
  tx: Tx,
  administrator: Administrator,
  group: GroupUid,
  act: Input['act'],
  people: PersonUid[],
): Promise<number> {
  if (administrator.reach.kind !== 'organisation')
    throw new Refusal('forbidden', 'Only an administrator of the whole organisation changes groups.')
  const change = act === 'add_to_group' ? { add: people, remove: [] } : { add: [], remove: people }
  const { added, removed } = await setMembers(tx, administrator, group, change)
  return added + removed
}

/** PPL-21: the way out of a place that is to be retired. */
export async function moveFrom(
  app: Pick<Acting, 'now'>,
  tx: Tx,
  administrator: Administrator,
  { from, to }: CallInput<typeof movePeople>['body'],
): Promise<CallAnswer<typeof movePeople>> {
  const { clientUid } = administrator
  const isWithin = within(administrator)
  await holdDirectory(tx, clientUid)
  if (!(await queries.isPlace(tx, clientUid, isWithin, from))) throw new Refusal('not_found')
  const move = { at: from, butAt: to }
  const people = await queries.listToMove(tx, clientUid, isWithin, move, groupLimits.peopleOfChange)
  const moved = await moveAll(app, tx, administrator, people, to)
  const isAll = people.length < groupLimits.peopleOfChange
  return { moved, remaining: isAll ? 0 : await queries.countToMove(tx, clientUid, isWithin, move) }
}
