import { holdEventsOfPosts } from '#features/events/server/event-wardens.service.ts'
import type { Tx } from '#server/platform/db/db.ts'
import type { PlannedAssignment } from './assignments/difference-of-assignments.ts'
import { type AssignmentChanges, endingOf } from './assignments/write-assignments.ts'
import type { Problems } from './files/problems.ts'
import type { FileRows } from './files/reading.ts'
import { modules } from './files/row-cells.ts'
import { listManagerPosts, lockPosts, type ManagerPost, type OnDuty, type RunningEvent } from './import.queries.ts'
import type { CheckedTables } from './read-tables.ts'

/** The parts of an import that affect wardens on duty. */
export interface Touching {
  missingPeople: readonly string[]
  people: readonly Person[]
  roles: readonly Role[]
  assignments: AssignmentChanges
}

/** What the operator may do about it. An upload has words of its own. */
export const again = 'run the import again when it has ended'
const until = `in a running event: ${again}`

export interface Sparing {
  /** Collects what is left unchanged. */
  notes: Problems
  held: Pick<CheckedTables['held'], 'role'>
  /** People who stay, because no one could administer the organisation without them. */
  administrators?: ReadonlySet<string> | undefined
}

/**
 * An import takes nobody off duty and leaves managers on duty the role that can end the event. Such changes
 * are reported and left for a run after the event.
 */
export function spare(
  touching: Touching,
  managers: readonly ManagerPost[],
  onDuty: readonly OnDuty[],
  { notes, held: stored, administrators = new Set() }: Sparing,
): Touching {
  const touched = touchedBy(touching, managers)
  const held = onDuty.filter(
    ({ assignmentUid, personUid }) => touched.assignments.has(assignmentUid) || touched.people.has(personUid),
  )
  const kept = new Set(held.map(({ personUid }) => personUid))
  const posts = new Set(held.map(({ assignmentUid }) => assignmentUid))
  return {
    missingPeople: spareMissing(touching.missingPeople, kept, notes).filter(
      (uid) => !isLast(uid, administrators, notes),
    ),
    ...spareEnding(touching.assignments, posts, notes),
    people: touching.people.filter((row) => !becomesVisitor(row, kept, notes)),
    roles: spareRoles(touching.roles, stored.role, onDuty, notes),
  }
}

/**
 * Locks the affected people, so that none of them goes on duty until the transaction ends. Throws PlanAgain if one has
 * since the plan was made. Call before any other lock.
 */
export async function holdTouched(tx: Tx, clientUid: string, all: readonly Partial<Touching>[]): Promise<void> {
  if (all.every((touching) => Object.keys(touching).length === 0)) return
  const touching = {
    missingPeople: all.flatMap(({ missingPeople = [] }) => missingPeople),
    people: all.flatMap(({ people = [] }) => people),
    roles: all.flatMap(({ roles = [] }) => roles),
    assignments: {
      rows: all.flatMap(({ assignments }) => assignments?.rows ?? []),
      missing: all.flatMap(({ assignments }) => assignments?.missing ?? []),
    },
  }
  const { assignments, people } = touchedBy(touching, await listManagerPosts(tx, clientUid))
  if (assignments.size + people.size === 0) return
  await holdEventsOfPosts(tx, clientUid, { assignmentUids: [...assignments], personUids: [...people] })
  const onDuty = await lockPosts(tx, clientUid, [...assignments], [...people])
  if (onDuty.length > 0) throw new PlanAgain()
}

/** Someone has gone on duty since the import was planned. */
export class PlanAgain extends Error {
  override name = 'PlanAgain'
}

function touchedBy({ missingPeople, people, roles, assignments }: Touching, managers: readonly ManagerPost[]) {
  const changing = managers.filter((post) => changesRole(roles, post))
  const isManager = new Set(managers.map(({ assignmentUid }) => assignmentUid))
  const moving = assignments.rows.filter(({ uid, locationsDiffer }) => locationsDiffer && isManager.has(uid))
  const leaving = people.filter(({ kind, heldAccountUid }) => kind === 'visitor' && heldAccountUid)
  return {
    assignments: new Set([
      ...endingOf(assignments.rows),
      ...assignments.missing,
      ...changing.map(({ assignmentUid }) => assignmentUid),
      ...moving.map(({ uid }) => uid),
    ]),
    people: new Set([...missingPeople, ...leaving.map(({ uid }) => uid)]),
  }
}

function spareEnding({ rows, missing }: AssignmentChanges, posts: ReadonlySet<string>, notes: Problems) {
  const onPost = `is on duty ${until}`
  if (missing.some((uid) => posts.has(uid)))
    notes.add('assignments.csv', 0, '', `a person whose assignment is missing ${onPost}`)
  const endsPost = ({ uid, endsBy }: PlannedAssignment) => endsBy !== undefined && posts.has(uid)
  const movesPost = ({ uid, locationsDiffer }: PlannedAssignment) => locationsDiffer && posts.has(uid)
  for (const row of rows) {
    if (endsPost(row)) notes.add('assignments.csv', row.line, row.endsBy ?? '', `the person ${onPost}`)
    else if (movesPost(row))
      notes.add('assignments.csv', row.line, 'locations', `the person manages events and ${onPost}`)
  }
  return {
    assignments: {
      rows: rows
        .filter((row) => !endsPost(row))
        .map((row) => (movesPost(row) ? { ...row, locationsDiffer: false } : row)),
      missing: missing.filter((uid) => !posts.has(uid)),
    },
  }
}

function spareMissing(missing: readonly string[], kept: ReadonlySet<string>, notes: Problems): string[] {
  if (missing.some((uid) => kept.has(uid))) notes.add('people.csv', 0, '', `a missing person is on duty ${until}`)
  return missing.filter((uid) => !kept.has(uid))
}

function isLast(uid: string, administrators: ReadonlySet<string>, notes: Problems): boolean {
  const isSpared = administrators.has(uid)
  if (isSpared) notes.add('people.csv', 0, '', 'at least one administrator must remain: appoint another one first')
  return isSpared
}

export type Person = NonNullable<CheckedTables['people']>['rows'][number]
export type Role = NonNullable<CheckedTables['roles']>['rows'][number]

function becomesVisitor({ uid, kind, line }: Person, kept: ReadonlySet<string>, notes: Problems): boolean {
  const isSpared = kind === 'visitor' && kept.has(uid)
  if (isSpared) notes.add('people.csv', line, 'kind', `the person is on duty ${until}`)
  return isSpared
}

/** True if the role would no longer manage events, or not in the same places. */
function changesRole(roles: readonly Role[], post: ManagerPost): boolean {
  const row = roles.find(({ uid }) => uid === post.roleUid)
  return row !== undefined && (!row.modules.includes('Event_Management') || row.areaDomain !== post.areaDomain)
}

/** Who is on duty keeps the modules and the domain of the role. Modules are added at once. */
function spareRoles(
  roles: readonly Role[],
  held: CheckedTables['held']['role'],
  onDuty: readonly OnDuty[],
  notes: Problems,
): Role[] {
  const worn = new Set(onDuty.map(({ roleUid }) => roleUid))
  return roles.map((row) => {
    const before = worn.has(row.uid) ? (held.get(row.uid) as Role | undefined) : undefined
    if (!before) return row
    const kept = {
      modules: modules.filter((name) => row.modules.includes(name) || before.modules.includes(name)),
      areaDomain: before.areaDomain,
      active: row.active || before.active,
    }
    const columns = [
      ...(kept.modules.length > row.modules.length ? ['modules'] : []),
      ...(kept.areaDomain === row.areaDomain ? [] : ['area_domain']),
      ...(kept.active === row.active ? [] : ['active']),
    ]
    for (const column of columns)
      notes.add('roles.csv', row.line, column, `a person with this role is on duty ${until}`)
    return columns.length > 0 ? { ...row, ...kept } : row
  })
}

/**
 * What a running event stands on stays until it has ended, and is told: that texts are sent, the zone of its
 * site and the name of its type.
 */
export function spareRunning(tables: CheckedTables, running: readonly RunningEvent[], notes: Problems): CheckedTables {
  const [first] = running
  if (!first) return tables
  const { organisation, client, held, sites, eventTypes } = tables
  const reason = ({ site }: RunningEvent) => `waits, because an event is running at ${site}: ${again}`
  const endsTexts = client?.smsAllowed && organisation.columns.has('sms_allowed') && !organisation.row.smsAllowed
  if (endsTexts) notes.add('organisation.csv', 2, 'sms_allowed', reason(first))
  const keep = <T extends { uid: string; line: number }, C extends keyof T>(
    { rows, ...file }: FileRows<T>,
    { name, column, header }: { name: string; column: C; header: string },
    stored: ReadonlyMap<string, unknown>,
    eventOf: (uid: string) => RunningEvent | undefined,
  ) => ({
    ...file,
    rows: rows.map((row) => {
      const [event, before] = [eventOf(row.uid), stored.get(row.uid) as T | undefined]
      if (!event || !before || before[column] === row[column]) return row
      notes.add(name, row.line, header, reason(event))
      return { ...row, [column]: before[column] }
    }),
  })
  return {
    ...tables,
    organisation: endsTexts ? { ...organisation, row: { ...organisation.row, smsAllowed: true } } : organisation,
    sites:
      sites &&
      keep(sites, { name: 'sites.csv', column: 'timezone', header: 'timezone' }, held.site, (uid) =>
        running.find(({ siteUid }) => siteUid === uid),
      ),
    eventTypes:
      eventTypes &&
      keep(eventTypes, { name: 'event_types.csv', column: 'type', header: 'type' }, held.eventType, (uid) =>
        running.find(({ eventTypeUid }) => eventTypeUid === uid),
      ),
  }
}
