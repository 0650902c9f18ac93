import { holdAdministrators } from '#features/administrators/server/administrators.queries.ts'
import { requireWholeAdministrator } from '#features/administrators/server/administrators.service.ts'
import { dropOpposite, putOff } from '#features/assignments/server/deferred-changes/deferred-changes.service.ts'
import { asAdministrator } from '#features/authority/server/decide.ts'
import { decideEach, inAct } from '#features/authority/server/in-act.service.ts'
import { tellingOf } from '#features/authority/server/told.service.ts'
import type { Act } from '#features/authority/table.ts'
import { changeDirectory, holdDirectory, requireNone } from '#features/directory/server/change-directory.service.ts'
import { addMembers } from '#features/directory/server/members/group-members.service.ts'
import { markOverdue } from '#features/peeps/server/plans.service.ts'
import type { BuildingUid, PersonUid } from '#kernel/ids.ts'
import type { CallAnswer, CallInput } from '#kernel/route.ts'
import { type Administrator, journalAdministrator } from '#server/administrators/administrator.ts'
import { within } from '#server/administrators/reach.ts'
import type { Services } from '#server/http/services.ts'
import type { Tx } from '#server/platform/db/db.ts'
import { Refusal } from '#server/platform/errors.ts'
import type { addPerson, changePerson, deactivatePerson, listFloorChoices, reactivatePerson } from '../calls/people.ts'
import { setMembers } from './groups/groups.service.ts'
import * as queries from './person.queries.ts'

export type Changing = Pick<Services, 'config' | 'jobs'> & { now: Date }

/** The person within reach. Throws `not_found`. */
export async function requirePerson(
  tx: Tx,
  administrator: Administrator,
  uid: PersonUid,
): Promise<queries.PersonRecord> {
  const person = await queries.findPerson(tx, administrator.clientUid, within(administrator), uid)
  if (!person) throw new Refusal('not_found')
  return person
}

type Wanted = CallInput<typeof addPerson>['body']
type Fields = Omit<Wanted, 'groups'>

/** A new person. Who administers a group adds to that group. */
export async function add(
  app: Changing,
  tx: Tx,
  administrator: Administrator,
  { groups = [], ...fields }: Wanted,
): Promise<CallAnswer<typeof addPerson>> {
  const { reach } = administrator
  const cells = await cellsOf(tx, administrator, fields)
  const by = journalAdministrator(administrator)
  const acting = { as: asAdministrator(administrator), telling: tellingOf(app) }
  const changed = await changeDirectory(tx, { by, acting, rows: { people: [{ uid: null, ...cells }] }, now: app.now })
  requireNone(changed)
  const uid = changed.uids.people?.[0] as PersonUid
  if (reach.kind === 'group') {
    const { groupUid } = reach
    await addMembers(tx, by, { clientUid: administrator.clientUid, groupUid, people: [uid] })
  }
  for (const group of new Set(groups)) await setMembers(tx, administrator, group, { add: [uid], remove: [] })
  await requireReached(tx, administrator, uid)
  return { uid }
}

/** Changes the given fields, unless someone else has changed the person since. */
export async function change(
  app: Changing,
  tx: Tx,
  administrator: Administrator,
  uid: PersonUid,
  { version, keep_plans_permission: givesPlansAgain = false, ...fields }: CallInput<typeof changePerson>['body'],
): Promise<CallAnswer<typeof changePerson>> {
  const before = await hold(tx, administrator, uid)
  const cells = await cellsOf(tx, administrator, fields)
  if (before.version !== version) throw await changedSince(tx, administrator, before)
  const acts: Act[] = [
    ...(touchesSignIn(fields, before) ? (['address'] as const) : []),
    ...(fields.kind === 'visitor' && before.kind === 'staff' ? (['deactivate'] as const) : []),
  ]
  await inActs(app, tx, administrator, { acts, uid, givesPlansAgain }, async () => {
    const changed = await changeDirectory(tx, {
      by: journalAdministrator(administrator),
      acting: { as: asAdministrator(administrator), telling: tellingOf(app) },
      rows: { people: [{ uid, ...cells }] },
      now: app.now,
    })
    requireNone(changed)
    if (changed.left.length > 0) throw inEvent(before)
  })
  await requireReached(tx, administrator, uid)
  await requireWholeAdministrator(tx, administrator.clientUid, uid)
  return { version: (await requirePerson(tx, administrator, uid)).version }
}

/** True if a name to sign in with would be another one. */
function touchesSignIn(fields: Fields, { email, mobile, username }: queries.PersonRecord): boolean {
  const held = { email: email ?? '', mobile: mobile ? `+${mobile}` : '', username: username ?? '' }
  return (['email', 'mobile', 'username'] as const).some(
    (name) => fields[name] !== undefined && fields[name].trim() !== held[name],
  )
}

/** One act within the other. */
function inActs<T>(
  app: Changing,
  tx: Tx,
  administrator: Administrator,
  { acts, uid, givesPlansAgain = false }: { acts: readonly Act[]; uid: PersonUid; givesPlansAgain?: boolean },
  work: () => Promise<T>,
): Promise<T> {
  const [act, ...rest] = acts
  if (!act) return work()
  return inAct(tellingOf(app), tx, asAdministrator(administrator), { act, people: [uid], givesPlansAgain }, () =>
    inActs(app, tx, administrator, { acts: rest, uid, givesPlansAgain }, work),
  )
}

/** Out of use. Of a warden on duty the deactivation waits. */
export async function deactivate(
  app: Changing,
  tx: Tx,
  administrator: Administrator,
  uid: PersonUid,
): Promise<CallAnswer<typeof deactivatePerson>> {
  const before = await hold(tx, administrator, uid)
  if (!before.active) return { status: 'deactivated' }
  const { clientUid, personUid } = administrator
  if (before.onDutyAt !== null) {
    await requireAct(app, tx, administrator, 'deactivate', uid)
    const wish = { clientUid, personUid: uid, assignmentUid: null, reason: null, byPersonUid: personUid }
    await putOff(tx, { ...wish, kind: 'deactivation' })
    return { status: 'waits' }
  }
  await inActs(app, tx, administrator, { acts: ['deactivate'], uid }, () =>
    setActive(app, tx, administrator, uid, false),
  )
  await requireWholeAdministrator(tx, clientUid, uid)
  return { status: 'deactivated' }
}

/** Throws why the act is not theirs, before it is put off. It is decided again when it happens. */
async function requireAct(app: Changing, tx: Tx, administrator: Administrator, act: Act, uid: PersonUid) {
  const decided = (await decideEach(tellingOf(app), tx, asAdministrator(administrator), act, [uid])).get(uid)
  if (decided?.refusal) throw decided.refusal
  if (decided?.needsCode && !administrator.isConfirmed) throw new Refusal('confirm_identity')
}

/** Back as it was, the plan to be reviewed. A deactivation that waits is dropped. */
export async function reactivate(
  app: Changing,
  tx: Tx,
  administrator: Administrator,
  uid: PersonUid,
): Promise<CallAnswer<typeof reactivatePerson>> {
  const before = await hold(tx, administrator, uid)
  if (before.mergedInto)
    throw new Refusal('invalid_transition', `This person was merged into ${before.mergedInto.name}.`)
  if (before.active) await requireAct(app, tx, administrator, 'reactivate', uid)
  else {
    await inActs(app, tx, administrator, { acts: ['reactivate'], uid }, () =>
      setActive(app, tx, administrator, uid, true),
    )
    await markOverdue(app, tx, administrator, before)
  }
  await dropOpposite(tx, administrator, { personUid: uid })
  return { status: 'reactivated' }
}

async function setActive({ now }: Changing, tx: Tx, administrator: Administrator, uid: PersonUid, isActive: boolean) {
  const rows = { people: [{ uid, active: isActive ? 'yes' : 'no' }] }
  const changed = await changeDirectory(tx, { by: journalAdministrator(administrator), rows, now })
  requireNone(changed)
  if (changed.left.length > 0) throw new Refusal('busy')
}

/** Takes turns with other changes of the directory and, for an administrator, of the grants. Then reads the person. */
export async function hold(tx: Tx, administrator: Administrator, uid: PersonUid): Promise<queries.PersonRecord> {
  await holdDirectory(tx, administrator.clientUid)
  const person = await requirePerson(tx, administrator, uid)
  if (!person.isAdministrator) return person
  await holdAdministrators(tx, administrator.clientUid)
  return requirePerson(tx, administrator, uid)
}

export async function changedSince(tx: Tx, { clientUid }: Administrator, { changedAt }: queries.PersonRecord) {
  const { timezone } = await queries.getOrganisation(tx, clientUid)
  const time = new Intl.DateTimeFormat('en-AU', {
    timeZone: timezone,
    hour: '2-digit',
    minute: '2-digit',
    hourCycle: 'h23',
  }).format(changedAt)
  return new Refusal('changed_since', `Someone else changed this at ${time}.`)
}

const inEvent = ({ onDutyAt }: queries.PersonRecord) =>
  new Refusal('in_event', `An event is running at ${onDutyAt}. This can be changed when it has ended.`)

/** The cells of the import format: the place as its code. */
export async function cellsOf(tx: Tx, administrator: Administrator, { place, ...cells }: Fields) {
  if (place === undefined) return cells
  if (place === null) return { ...cells, floor: '' }
  const floor = await queries.findPlaceCode(tx, administrator.clientUid, within(administrator), place)
  if (!floor) throw new Refusal('not_found')
  return { ...cells, floor }
}

/** No one moves a person out of the own reach. */
async function requireReached(tx: Tx, administrator: Administrator, uid: PersonUid): Promise<void> {
  if (await queries.isReached(tx, administrator.clientUid, within(administrator), uid)) return
  const message = 'Floor is empty: choose one of your site'
  throw new Refusal('invalid_request', message, ['floor'], { problems: [{ field: 'floor', row: 1, message }] })
}

/** The floors of a building within reach. */
export async function listFloors(
  tx: Tx,
  administrator: Administrator,
  building: BuildingUid,
): Promise<CallAnswer<typeof listFloorChoices>> {
  const floors = await queries.listFloors(tx, administrator.clientUid, within(administrator), building)
  if (!floors) throw new Refusal('not_found')
  return floors
}
