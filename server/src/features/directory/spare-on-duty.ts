import type { Tx } from '../../platform/db/db.ts'
import { holdEventsOfPosts } from '../events/event-wardens.service.ts'
import type { PlannedAssignment } from './assignments/assignment-plan.ts'
import { type AssignmentChanges, endingOf } from './assignments/write-assignments.ts'
import type { Problems } from './files/problems.ts'
import { listManagerPosts, lockPosts, type ManagerPost, type OnDuty } from './import.queries.ts'
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

/**
 * AMB-067, T29: an import takes nobody off duty and leaves managers on duty the role that can end the event. Such changes
 * are reported and left for a run after the event.
 */
export function spare(
  touching: Touching,
  managers: readonly ManagerPost[],
  onDuty: readonly OnDuty[],
  notes: Problems,
  administrators: ReadonlySet<string> = new Set(),
): Touching {
  const touched = touchedBy(touching, managers)
  const held = onDuty.filter(
    ({ assignmentUid, personUid }) => touched.assignments.has(assignmentUid) || touched.people.has(personUid),
  )
  const kept = new Set(held.map(({ personUid }) => personUid))
  const posts = new Set(held.map(({ assignmentUid }) => assignmentUid))
  const holding = managers.filter((post) => posts.has(post.assignmentUid) && changesRole(touching.roles, post))
  return {
    missingPeople: spareMissing(touching.missingPeople, kept, notes).filter(
      (uid) => !isLast(uid, administrators, notes),
    ),
    ...spareEnding(touching.assignments, posts, notes),
    people: touching.people.filter((row) => !becomesVisitor(row, kept, notes)),
    roles: spareRoles(touching.roles, holding, notes),
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

/** Somebody has gone on duty since the import was planned. */
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

/** ORG-13 */
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

function spareRoles(roles: readonly Role[], held: readonly ManagerPost[], notes: Problems): Role[] {
  const before = new Map(held.map((post) => [post.roleUid, post]))
  return roles.map((row) => {
    const post = before.get(row.uid)
    if (!post) return row
    const column = row.modules.includes('Event_Management') ? 'area_domain' : 'modules'
    notes.add('roles.csv', row.line, column, `a person with this role manages events and is on duty ${until}`)
    return { ...row, areaDomain: post.areaDomain, modules: post.modules as Role['modules'] }
  })
}
