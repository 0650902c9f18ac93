import type { Tx } from '../../platform/db.ts'
import { holdEventsOfPosts } from '../events/event-wardens.service.ts'
import type { PlannedAssignment } from './assignments/assignment-plan.ts'
import { type AssignmentChanges, endingOf } from './assignments/write-assignments.ts'
import type { Problems } from './files/problems.ts'
import { listManagerPosts, lockPosts, type ManagerPost } from './import.queries.ts'
import type { Folder } from './read-folder.ts'

export interface Spared {
  assignments: AssignmentChanges
  missingPeople: readonly string[]
  people: Folder['people']
  roles: Folder['roles']
}

const until = 'in a running event: run the import again when it has ended'

/**
 * AMB-067, T29: an import takes nobody off duty, nor from a manager on duty what the event is ended by; what would is left
 * for a run after the event, and told. Until the transaction ends nobody else goes on duty whom it would take away. Before
 * the transaction locks anything else.
 */
export async function spareOnDuty(tx: Tx, folder: Folder, notes: Problems): Promise<Spared> {
  const { known, missingPeople, people, assignments = { rows: [], missing: [] } } = folder
  const managers = await listManagerPosts(tx, known.client.uid)
  const changing = managers.filter((post) => changesRole(folder, post))
  const isManager = new Set(managers.map(({ assignmentUid }) => assignmentUid))
  const moving = assignments.rows.filter(({ uid, locationsDiffer }) => locationsDiffer && isManager.has(uid))
  const leaving = people?.rows.filter(({ kind, heldAccountUid }) => kind === 'visitor' && heldAccountUid) ?? []

  const ending = [...endingOf(assignments.rows), ...assignments.missing]
  const touched = [...ending, ...changing.map(({ assignmentUid }) => assignmentUid), ...moving.map(({ uid }) => uid)]
  await holdEventsOfPosts(tx, known.client.uid, touched)
  const onDuty = await lockPosts(tx, known.client.uid, touched, [...missingPeople, ...leaving.map(({ uid }) => uid)])
  const kept = new Set(onDuty.map(({ personUid }) => personUid))
  const posts = new Set(onDuty.map(({ assignmentUid }) => assignmentUid))
  return {
    ...spareEnding(assignments, posts, notes),
    missingPeople: spareMissing(missingPeople, kept, notes),
    people: people && { ...people, rows: people.rows.filter((row) => !becomesVisitor(row, kept, notes)) },
    roles: spareRoles(
      folder,
      changing.filter(({ assignmentUid }) => posts.has(assignmentUid)),
      notes,
    ),
  }
}

function spareEnding({ rows, missing }: AssignmentChanges, posts: ReadonlySet<string>, notes: Problems) {
  const onPost = `is on duty ${until}`
  if (missing.some((uid) => posts.has(uid)))
    notes.add('assignments.csv', 0, '', `somebody whose assignment it no longer has ${onPost}`)
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
  if (missing.some((uid) => kept.has(uid)))
    notes.add('people.csv', 0, '', `somebody it no longer has is on duty ${until}`)
  return missing.filter((uid) => !kept.has(uid))
}

type Person = NonNullable<Folder['people']>['rows'][number]

function becomesVisitor({ uid, kind, line }: Person, kept: ReadonlySet<string>, notes: Problems): boolean {
  const isSpared = kind === 'visitor' && kept.has(uid)
  if (isSpared) notes.add('people.csv', line, 'kind', `the person is on duty ${until}`)
  return isSpared
}

const roleRow = ({ roles }: Folder, { roleUid }: ManagerPost) => roles?.rows.find(({ uid }) => uid === roleUid)

/** The role would no longer manage events, or not in the same places. */
function changesRole(folder: Folder, post: ManagerPost): boolean {
  const row = roleRow(folder, post)
  return row !== undefined && (!row.modules.includes('Event_Management') || row.areaDomain !== post.areaDomain)
}

function spareRoles({ roles }: Folder, held: readonly ManagerPost[], notes: Problems): Folder['roles'] {
  const before = new Map(held.map((post) => [post.roleUid, post]))
  const rows = roles?.rows.map((row) => {
    const post = before.get(row.uid)
    if (!post) return row
    const column = row.modules.includes('Event_Management') ? 'area_domain' : 'modules'
    notes.add('roles.csv', row.line, column, `somebody with this role manages events and is on duty ${until}`)
    return { ...row, areaDomain: post.areaDomain, modules: post.modules }
  })
  return roles && rows && { ...roles, rows }
}
