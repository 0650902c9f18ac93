import { sql } from 'kysely'
import { holdAdministrators } from '#features/administrators/server/administrators.queries.ts'
import { requireWholeAdministrator } from '#features/administrators/server/administrators.service.ts'
import { putOff } from '#features/assignments/server/deferred-changes/deferred-changes.service.ts'
import { asAdministrator } from '#features/authority/server/decide.ts'
import { decideEach } from '#features/authority/server/in-act.service.ts'
import { tellingOf } from '#features/authority/server/told.service.ts'
import {
  changeDirectory,
  type DifferenceRow,
  holdDirectory,
  requireNone,
} from '#features/directory/server/change-directory.service.ts'
import { beginAct, keepAct, rowOfPerson } from '#features/uploads/server/store-act.service.ts'
import { groupLimits } from '#kernel/console-kinds.ts'
import type { GroupUid, PersonUid, UploadUid } from '#kernel/ids.ts'
import type { CallAnswer, CallInput } from '#kernel/route.ts'
import { type Administrator, journalAdministrator } from '#server/administrators/administrator.ts'
import { within } from '#server/administrators/reach.ts'
import type { Tx } from '#server/platform/db/db.ts'
import { Refusal } from '#server/platform/errors.ts'
import type { changePeople, movePeople } from '../calls/people-bulk.ts'
import * as queries from './bulk.queries.ts'
import { setMembers } from './groups/groups.service.ts'
import { findPlaceCode } from './person.queries.ts'
import { type Invited, lockInvited } from './sign-in-acts.queries.ts'
import { type Acting, inviteHeld } from './sign-in-acts.service.ts'

type Input = CallInput<typeof changePeople>['body']
type Answer = CallAnswer<typeof changePeople>

/** More than so many, and more than a tenth of all, are deactivated with a code only. */
const manyDeactivated = 20

/** What an act has done. `rows`: what has changed, also of whom it waits for nothing. */
interface Done extends Pick<Answer, 'done' | 'waits' | 'left'> {
  rows: readonly DifferenceRow[]
}

/**
 * One act on ticked people, all of them within reach, as an upload of its own kind. With `preview` it is done and taken
 * back within the transaction, so that the difference is the one that the act makes.
 */
export async function changeMany(app: Acting, tx: Tx, administrator: Administrator, input: Input): Promise<Answer> {
  if (!input.preview) return actOnce(app, tx, administrator, input)
  await sql`savepoint preview`.execute(tx)
  const answer = await actOnce(app, tx, administrator, input)
  await sql`rollback to savepoint preview`.execute(tx)
  return { ...answer, upload: null }
}

async function actOnce(app: Acting, tx: Tx, administrator: Administrator, input: Input): Promise<Answer> {
  const { people, act, place, group } = input
  if ((act === 'move') !== (place !== undefined)) throw new Refusal('invalid_request', undefined, ['place'])
  const isOfGroup = act === 'add_to_group' || act === 'take_out_of_group'
  if (isOfGroup !== (group !== undefined)) throw new Refusal('invalid_request', undefined, ['group'])
  const { clientUid } = administrator
  await holdDirectory(tx, clientUid)
  await holdAdministrators(tx, clientUid)
  const uids = [...new Set(people)]
  const held = await lockInvited(tx, clientUid, within(administrator), uids)
  if (held.length < uids.length) throw new Refusal('not_found')
  const upload = await beginAct(tx, administrator, act)
  const { rows, ...answer } = await actOn({ app, tx, administrator, upload }, input, held)
  const isKept = await keepAct(tx, administrator, upload, { rows, waits: answer.waits, group })
  const difference = rows
    .filter(({ file }) => file !== 'accounts')
    .map(({ title, kind, cells }) => ({ title, kind, cells: [...cells] }))
  return { ...answer, upload: isKept ? upload : null, difference }
}

interface Act {
  app: Acting
  tx: Tx
  administrator: Administrator
  upload: UploadUid
}

async function actOn(acting: Act, { act, place, group }: Input, held: readonly Invited[]): Promise<Done> {
  if (act === 'invite') return inviteAll(acting, held)
  if (act === 'deactivate') return deactivateAll(acting, held)
  if (group) return changeGroup(acting, group, act, held)
  const people = held.map(({ personUid }) => personUid)
  const { app, tx, administrator } = acting
  const rows = await moveAll(app, tx, administrator, people, place as string)
  return { done: people.length, waits: 0, left: [], rows }
}

const leftWith =
  (reason: string) =>
  ({ personUid, name }: Invited) => ({ person: personUid, name, reason })

/** Who may not be touched is left, with the reason. One code is for all. Throws `confirm_identity` while it is missing. */
async function splitByAuthority(
  { app, tx, administrator }: Act,
  act: 'invite' | 'deactivate',
  held: readonly Invited[],
) {
  const people = held.map(({ personUid }) => personUid)
  const decided = await decideEach(tellingOf(app), tx, asAdministrator(administrator), act, people)
  const refusalOf = ({ personUid }: Invited) => decided.get(personUid)?.refusal
  const own = held.filter((person) => !refusalOf(person))
  const needsCode = own.some(({ personUid }) => decided.get(personUid)?.needsCode)
  if (needsCode && !administrator.isConfirmed) throw new Refusal('confirm_identity')
  const left = held.flatMap((person) => {
    const refusal = refusalOf(person)
    return refusal ? [leftWith(refusal.message)(person)] : []
  })
  return { own, left, needsCode }
}

/** Who cannot be invited is left, with the reason. */
async function inviteAll(acting: Act, held: readonly Invited[]): Promise<Done> {
  const { app, tx, administrator } = acting
  const { own, left } = await splitByAuthority(acting, 'invite', held)
  const rows: DifferenceRow[] = []
  for (const person of own)
    try {
      const after = await inviteHeld({ ...app, isBulk: true }, tx, administrator, person)
      rows.push(
        rowOfPerson('invitations', 'added', {
          ...named(person),
          cells: [{ column: 'invitation', before: null, after }],
        }),
      )
    } catch (error) {
      if (!(error instanceof Refusal)) throw error
      left.push(leftWith(error.message)(person))
    }
  return { done: held.length - left.length, waits: 0, left, rows }
}

const named = ({ personUid, name }: Invited) => ({ personUid, name })

/** Of wardens on duty the deactivation waits. */
async function deactivateAll(acting: Act, held: readonly Invited[]): Promise<Done> {
  const { app, tx, administrator, upload } = acting
  const { clientUid, personUid: byPersonUid } = administrator
  const { own, left } = await splitByAuthority(acting, 'deactivate', held)
  const active = await queries.listActive(
    tx,
    clientUid,
    own.map(({ personUid }) => personUid),
  )
  if (active.length > manyDeactivated && !administrator.isConfirmed) {
    if (active.length * 10 > (await queries.countActive(tx, clientUid))) throw new Refusal('confirm_identity')
  }
  if (active.length === 0) return { done: 0, waits: 0, left, rows: [] }
  const people = active.map((uid) => ({ uid, active: 'no' }))
  const by = journalAdministrator(administrator)
  const [telling, actor] = [tellingOf(app), asAdministrator(administrator)]
  const changed = await changeDirectory(tx, { by, acting: { as: actor, telling }, rows: { people }, now: app.now })
  requireNone(changed)
  const waiting = await queries.listActive(tx, clientUid, active)
  const wish = { clientUid, assignmentUid: null, reason: null, byPersonUid, uploadUid: upload } as const
  for (const personUid of waiting) await putOff(tx, { ...wish, personUid, kind: 'deactivation' })
  for (const { personUid, reach } of own) if (reach) await requireWholeAdministrator(tx, clientUid, personUid)
  return { done: active.length - waiting.length, waits: waiting.length, left, rows: changed.difference() }
}

/** By the rules of an import, which says which of them cannot be there. */
async function moveAll(
  { now }: Pick<Acting, 'now'>,
  tx: Tx,
  administrator: Administrator,
  people: readonly PersonUid[],
  place: string,
): Promise<DifferenceRow[]> {
  const floor = await findPlaceCode(tx, administrator.clientUid, within(administrator), place)
  if (!floor) throw new Refusal('not_found')
  const rows = people.map((uid) => ({ uid, floor }))
  const changed = await changeDirectory(tx, { by: journalAdministrator(administrator), rows: { people: rows }, now })
  requireNone(changed)
  return changed.difference()
}

async function changeGroup(
  { tx, administrator }: Act,
  group: GroupUid,
  act: Input['act'],
  held: readonly Invited[],
): Promise<Done> {
  const people = held.map(({ personUid }) => personUid)
  const members = new Set(await queries.listMembers(tx, administrator.clientUid, group, people))
  const isAdding = act === 'add_to_group'
  const { added, removed } = await setMembers(
    tx,
    administrator,
    group,
    isAdding ? { add: people, remove: [] } : { add: [], remove: people },
  )
  const rows = held
    .filter(({ personUid }) => members.has(personUid) !== isAdding)
    .map((person) => rowOfPerson('members', isAdding ? 'added' : 'ended', named(person)))
  return { done: added + removed, waits: 0, left: [], rows }
}

/** The way out of a place that is to be retired. */
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
  await moveAll(app, tx, administrator, people, to)
  const isAll = people.length < groupLimits.peopleOfChange
  return { moved: people.length, remaining: isAll ? 0 : await queries.countToMove(tx, clientUid, isWithin, move) }
}
