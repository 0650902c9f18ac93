import {
  holdAdministrators,
  requireWholeAdministrator,
  tellOldAddress,
} from '#features/administrators/server/administrators.service.ts'
import { dropOpposite, putOff } from '#features/assignments/server/deferred-changes/deferred-changes.service.ts'
import { changeDirectory, holdDirectory, requireNone } from '#features/directory/server/change-directory.service.ts'
import { addMembers } from '#features/directory/server/members/group-members.service.ts'
import { markOverdue, presentMarks } from '#features/peeps/server/plans.service.ts'
import { resetsPasswords } from '#features/sign-in/server/password-reset/password-reset.service.ts'
import type { BuildingUid, PersonUid } from '#kernel/ids.ts'
import type { CallAnswer, CallInput } from '#kernel/route.ts'
import { type Administrator, journalAdministrator } from '#server/administrators/administrator.ts'
import { within } from '#server/administrators/reach.ts'
import type { Services } from '#server/http/services.ts'
import type { Tx } from '#server/platform/db/db.ts'
import { Refusal } from '#server/platform/errors.ts'
import {
  type addPerson,
  type changePerson,
  type deactivatePerson,
  type getPerson,
  type listFloorChoices,
  type Person,
  type reactivatePerson,
  signInActs,
} from '../calls/people.ts'
import * as queries from './person.queries.ts'
import { refuseActs } from './sign-in-acts.service.ts'

export type Changing = Pick<Services, 'config' | 'jobs'> & { now: Date }

/** The person within reach. The transaction sees accounts. */
export async function present(
  { config, clock }: Pick<Services, 'config' | 'clock'>,
  tx: Tx,
  administrator: Administrator,
  uid: PersonUid,
): Promise<CallAnswer<typeof getPerson>> {
  const { clientUid } = administrator
  const person = await requirePerson(tx, administrator, uid)
  const { changedAt, firstName, lastName, mobile, visitDate, onDutyAt } = person
  const assignments = await queries.listAssignmentsOf(tx, clientUid, uid)
  return {
    ...{ uid, version: person.version, changed_at: changedAt.toISOString(), active: person.active },
    ...{ first_name: firstName, last_name: lastName, code: person.code, email: person.email },
    ...{ mobile: mobile && `+${mobile}`, username: person.username, kind: person.kind },
    ...{ building: person.building, floor: person.floor, visit_date: visitDate, on_duty_at: onDutyAt },
    ...{ in_event_at: person.inEventAt, merged_into: person.mergedInto },
    groups: await queries.listGroupsOf(tx, clientUid, uid),
    plan: await presentMarks(tx, administrator, uid),
    assignments,
    sign_in: await presentSignIn(tx, administrator, person, {
      hasTexts: config.smsGateways.length > 0,
      hasMail: config.mail !== undefined,
      resets: resetsPasswords(config),
      isWarden: assignments.some((assignment) => isOpen(assignment, clock.now())),
    }),
    may_change_sign_in: mayChangeSignIn(administrator, person),
  }
}

/** Offered or accepted, and not past in any zone. */
const isOpen = ({ status, date_to }: Person['assignments'][number], now: Date) =>
  (status === 'Accepted' || status === 'Offered') &&
  date_to >= new Date(now.getTime() - 86_400_000).toISOString().slice(0, 10)

interface Standing {
  hasTexts: boolean
  hasMail: boolean
  /** This program resets passwords by mail. */
  resets: boolean
  isWarden: boolean
}

async function presentSignIn(
  tx: Tx,
  administrator: Administrator,
  person: queries.PersonRecord,
  { isWarden, ...standing }: Standing,
): Promise<Person['sign_in']> {
  const { clientUid } = administrator
  const { lastSignIn, sessions } = await queries.findSignIns(tx, person, clientUid)
  const invited = await queries.findOpenInvitation(tx, clientUid, person.uid)
  const byPassword = person.hasPassword && (person.accountEmail !== null || person.username !== null)
  const isNeeded = person.active && (isWarden || person.isAdministrator)
  return {
    ways: isNeeded
      ? [
          ...(byPassword ? (['password'] as const) : []),
          ...(standing.hasTexts && person.mobile ? (['mobile link'] as const) : []),
        ]
      : [],
    is_needed: isNeeded,
    has_password: person.hasPassword,
    last_sign_in: lastSignIn?.toISOString() ?? null,
    sessions,
    invited: invited ? { at: invited.at.toISOString(), by: invited.by } : null,
    second_factor: person.isAdministrator ? person.hasSecondFactor : null,
    acts: mayChangeSignIn(administrator, person) && person.active ? actsOn(person, { ...standing, isNeeded }) : [],
  }
}

/** What its call would not refuse. */
function actsOn(
  person: queries.PersonRecord,
  { hasTexts, hasMail, resets, isNeeded }: Omit<Standing, 'isWarden'> & { isNeeded: boolean },
) {
  const { hasPassword, accountEmail, email, username, isAdministrator, accountUid, mobile } = person
  const hasEmail = (accountEmail ?? email) !== null
  const may: Record<Person['sign_in']['acts'][number], boolean> = {
    invite: isNeeded && ((hasMail && hasEmail) || (hasTexts && mobile !== null && !isAdministrator)),
    show_invitation: isNeeded && !hasPassword && (hasEmail || username !== null) && !(isAdministrator && hasMail),
    password_link: resets && hasPassword && accountEmail !== null,
    sign_out: accountUid !== null,
  }
  return signInActs.filter((act) => may[act])
}

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

/** How an administrator signs in is changed by administrators of the whole organisation. */
export const mayChangeSignIn = ({ reach }: Administrator, { isAdministrator }: queries.PersonRecord) =>
  !isAdministrator || reach.kind === 'organisation'

type Fields = CallInput<typeof addPerson>['body']

/** A new person. Who administers a group adds to that group. */
export async function add(
  app: Changing,
  tx: Tx,
  administrator: Administrator,
  fields: Fields,
): Promise<CallAnswer<typeof addPerson>> {
  const { reach } = administrator
  const cells = await cellsOf(tx, administrator, fields)
  const by = journalAdministrator(administrator)
  const changed = await changeDirectory(tx, { by, rows: { people: [{ uid: null, ...cells }] }, now: app.now })
  requireNone(changed)
  const uid = changed.uids.people?.[0] as PersonUid
  if (reach.kind === 'group') {
    const { groupUid } = reach
    await addMembers(tx, by, { clientUid: administrator.clientUid, groupUid, people: [uid] })
  }
  await requireReached(tx, administrator, uid)
  return { uid }
}

/** Changes the given fields, unless someone else has changed the person since. */
export async function change(
  app: Changing,
  tx: Tx,
  administrator: Administrator,
  uid: PersonUid,
  { version, ...fields }: CallInput<typeof changePerson>['body'],
): Promise<CallAnswer<typeof changePerson>> {
  const before = await hold(tx, administrator, uid)
  const cells = await cellsOf(tx, administrator, fields)
  if (before.version !== version) throw await changedSince(tx, administrator, before)
  const touchesSignIn = ['email', 'mobile', 'username', 'kind'].some((name) => name in fields)
  if (touchesSignIn && !mayChangeSignIn(administrator, before)) throw refuseActs()
  const changed = await changeDirectory(tx, {
    by: journalAdministrator(administrator),
    rows: { people: [{ uid, ...cells }] },
    now: app.now,
  })
  requireNone(changed)
  if (changed.left.length > 0) throw inEvent(before)
  await requireReached(tx, administrator, uid)
  await requireWholeAdministrator(tx, administrator.clientUid, uid)
  const after = await requirePerson(tx, administrator, uid)
  if (before.isAdministrator && before.accountEmail && before.accountEmail !== after.accountEmail)
    await tellOldAddress(app, tx, administrator, { accountUid: before.accountUid, email: before.accountEmail })
  return { version: after.version }
}

/** Out of use. Of a warden on duty the deactivation waits. */
export async function deactivate(
  app: Changing,
  tx: Tx,
  administrator: Administrator,
  uid: PersonUid,
): Promise<CallAnswer<typeof deactivatePerson>> {
  const before = await hold(tx, administrator, uid)
  if (!mayChangeSignIn(administrator, before)) throw refuseActs()
  if (!before.active) return { status: 'deactivated' }
  const changed = await setActive(app, tx, administrator, uid, false)
  const { clientUid, personUid } = administrator
  if (changed.left.length === 0) {
    await requireWholeAdministrator(tx, clientUid, uid)
    return { status: 'deactivated' }
  }
  const wish = { clientUid, personUid: uid, assignmentUid: null, reason: null, byPersonUid: personUid }
  await putOff(tx, { ...wish, kind: 'deactivation' })
  return { status: 'waits' }
}

/** Back as it was, the plan to be reviewed. A deactivation that waits is dropped. */
export async function reactivate(
  app: Changing,
  tx: Tx,
  administrator: Administrator,
  uid: PersonUid,
): Promise<CallAnswer<typeof reactivatePerson>> {
  const before = await hold(tx, administrator, uid)
  if (!mayChangeSignIn(administrator, before)) throw refuseActs()
  if (before.mergedInto)
    throw new Refusal('invalid_transition', `This person was merged into ${before.mergedInto.name}.`)
  if (!before.active) {
    await setActive(app, tx, administrator, uid, true)
    await markOverdue(app, tx, administrator, before)
  }
  await dropOpposite(tx, administrator, { personUid: uid })
  return { status: 'reactivated' }
}

async function setActive({ now }: Changing, tx: Tx, administrator: Administrator, uid: PersonUid, isActive: boolean) {
  const rows = { people: [{ uid, active: isActive ? 'yes' : 'no' }] }
  const changed = await changeDirectory(tx, { by: journalAdministrator(administrator), rows, now })
  requireNone(changed)
  return changed
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
    ...{ timeZone: timezone, hour: '2-digit', minute: '2-digit', hourCycle: 'h23' },
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
