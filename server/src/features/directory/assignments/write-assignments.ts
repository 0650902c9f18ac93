import type { Tx } from '../../../platform/db.ts'
import { record, unattended } from '../../../platform/journal.ts'
import { leaveRunningEvents } from '../../events/event-wardens.service.ts'
import { inBatches } from '../write.queries.ts'
import {
  endAssignments,
  insertAssignments,
  replaceLocations,
  type StatusChange,
  updateAssignments,
} from './assignment.queries.ts'
import type { PlannedAssignment } from './assignment-plan.ts'

export interface AssignmentChanges {
  rows: readonly PlannedAssignment[]
  missing: readonly string[]
}

/** Whom these rows take away from where they are. */
export const endingOf = (rows: readonly PlannedAssignment[]) =>
  rows.filter(({ endsBy }) => endsBy !== undefined).map(({ uid }) => uid)

/** Call under `holdEventsOfPosts`. */
export async function writeAssignments(tx: Tx, clientUid: string, { rows, missing }: AssignmentChanges) {
  const fresh = rows.filter(({ isNew }) => isNew)
  const moved = rows.filter(({ locationsDiffer }) => locationsDiffer)
  const changed: StatusChange[] = []
  for (const batch of inBatches(rows.filter(({ isNew }) => !isNew)))
    changed.push(...(await updateAssignments(tx, clientUid, batch)))
  for (const batch of inBatches(fresh)) await insertAssignments(tx, clientUid, batch)
  for (const batch of inBatches(moved)) await moveAssignments(tx, clientUid, batch)
  const ended = missing.length > 0 ? await endAssignments(tx, clientUid, missing) : []
  await tellStatuses(tx, clientUid, [...changed, ...ended])
  await tellEnded(tx, clientUid, [...endingOf(rows), ...missing])
  const updated = new Set([...changed, ...moved.filter(({ isNew }) => !isNew)].map(({ uid }) => uid))
  return { created: fresh.length, updated: updated.size, ended: ended.length }
}

async function moveAssignments(tx: Tx, clientUid: string, rows: readonly PlannedAssignment[]) {
  const places = rows.flatMap(({ uid, locations }) => locations.map((place) => ({ assignmentUid: uid, ...place })))
  const uids = rows.map(({ uid }) => uid)
  await replaceLocations(tx, clientUid, uids, places)
}

/** AMB-152 */
async function tellStatuses(tx: Tx, clientUid: string, changes: readonly StatusChange[]) {
  for (const batch of inBatches(changes.filter(({ before, after }) => before !== after)))
    await record(
      tx,
      unattended(clientUid),
      batch.map(({ uid, before, after }) => ({
        action: 'assignment_changed',
        subjectType: 'warden_assignment',
        subjectUid: uid,
        before: { status: before },
        after: { status: after, by: 'import' },
      })),
    )
}

/** Wardens whose assignment ended leave the running event (AMB-067), and their phones are told (AMB-079). */
async function tellEnded(tx: Tx, clientUid: string, assignmentUids: readonly string[]) {
  const left = await leaveRunningEvents(tx, clientUid, assignmentUids)
  await record(
    tx,
    unattended(clientUid),
    left.map(({ signInUid, eventUid }) => ({
      action: 'assignment_ended',
      subjectType: 'sign_in',
      subjectUid: signInUid,
      eventUid,
    })),
  )
}
