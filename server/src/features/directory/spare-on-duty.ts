import type { Tx } from '../../platform/db.ts'
import type { PlannedAssignment } from './assignments/assignment-plan.ts'
import { type AssignmentChanges, endingOf, holdEventsOfEnding } from './assignments/write-assignments.ts'
import type { Problems } from './files/problems.ts'
import { lockPosts } from './import.queries.ts'
import type { Folder } from './read-folder.ts'

export interface Spared {
  assignments: AssignmentChanges
  missingPeople: readonly string[]
}

/**
 * AMB-067: an import takes nobody off duty; what would is left for a run after the event, and told. Until the transaction
 * ends nobody else goes on duty whom it takes away. Before the transaction locks anything else.
 */
export async function spareOnDuty(
  tx: Tx,
  { known, missingPeople, assignments = { rows: [], missing: [] } }: Folder,
  notes: Problems,
): Promise<Spared> {
  await holdEventsOfEnding(tx, known.client.uid, assignments)
  const onDuty = await lockPosts(
    tx,
    known.client.uid,
    [...endingOf(assignments.rows), ...assignments.missing],
    missingPeople,
  )
  const people = new Set(onDuty.map(({ personUid }) => personUid))
  const posts = new Set(onDuty.map(({ assignmentUid }) => assignmentUid))

  const onPost = 'is on duty in a running event: run the import again when it has ended'
  if (missingPeople.some((uid) => people.has(uid)))
    notes.add('people.csv', 0, '', `somebody it no longer has ${onPost}`)
  if (assignments.missing.some((uid) => posts.has(uid)))
    notes.add('assignments.csv', 0, '', `somebody whose assignment it no longer has ${onPost}`)
  const endsPost = ({ uid, endsBy }: PlannedAssignment) => endsBy !== undefined && posts.has(uid)
  for (const row of assignments.rows.filter(endsPost))
    notes.add('assignments.csv', row.line, row.endsBy ?? '', `the person ${onPost}`)
  return {
    missingPeople: missingPeople.filter((uid) => !people.has(uid)),
    assignments: {
      rows: assignments.rows.filter((row) => !endsPost(row)),
      missing: assignments.missing.filter((uid) => !posts.has(uid)),
    },
  }
}
