import { leaveRunningEvents } from '#features/events/server/event-wardens.service.ts'
import type { Tx } from '#server/platform/db/db.ts'
import { type JournalActor, record } from '#server/platform/db/journal.ts'
import {
  endAssignments,
  insertAssignments,
  replaceLocations,
  type StatusChange,
  updateAssignments,
} from './assignment.queries.ts'
import type { PlannedAssignment } from './difference-of-assignments.ts'

export interface AssignmentChanges {
  rows: readonly PlannedAssignment[]
  missing: readonly string[]
}

/** The people whose participation these rows would end. */
export const endingOf = (rows: readonly PlannedAssignment[]) =>
  rows.filter(({ endsBy }) => endsBy !== undefined).map(({ uid }) => uid)

/** Call under `holdEventsOfPosts`. */
export async function writeAssignments(tx: Tx, actor: JournalActor, { rows, missing }: AssignmentChanges) {
  const { clientUid } = actor
  const fresh = rows.filter(({ isNew }) => isNew)
  const moved = rows.filter(({ locationsDiffer }) => locationsDiffer)
  const held = rows.filter(({ isNew }) => !isNew)
  const changed = held.length > 0 ? await updateAssignments(tx, clientUid, held) : []
  if (fresh.length > 0) await insertAssignments(tx, clientUid, fresh)
  await tellForm(tx, actor, rows)
  if (moved.length > 0) await moveAssignments(tx, clientUid, moved)
  const ended = missing.length > 0 ? await endAssignments(tx, clientUid, missing) : []
  await tellStatuses(tx, actor, [...changed, ...ended])
  const ending = [...endingOf(rows), ...missing]
  // their phones are notified
  if (ending.length > 0) await leaveRunningEvents(tx, actor, { assignmentUids: ending, personUids: [] })
}

async function moveAssignments(tx: Tx, clientUid: string, rows: readonly PlannedAssignment[]) {
  const places = rows.flatMap(({ uid, locations }) => locations.map((place) => ({ assignmentUid: uid, ...place })))
  const uids = rows.map(({ uid }) => uid)
  await replaceLocations(tx, clientUid, uids, places)
}

/** New assignments, days and places that someone has set by hand. */
async function tellForm(tx: Tx, actor: JournalActor, rows: readonly PlannedAssignment[]) {
  if (actor.personUid === null) return
  await record(
    tx,
    actor,
    rows.map(({ uid, held, personUid, roleUid, siteUid, dateFrom, dateTo, status }) => ({
      action: 'assignment_changed',
      subjectType: 'warden_assignment',
      subjectUid: uid,
      before: held && { dateFrom: held.dateFrom, dateTo: held.dateTo },
      after: { personUid, roleUid, siteUid, dateFrom, dateTo, ...(!held && { status }) },
    })),
  )
}

async function tellStatuses(tx: Tx, actor: JournalActor, changes: readonly StatusChange[]) {
  await record(
    tx,
    actor,
    changes
      .filter(({ before, after }) => before !== after)
      .map(({ uid, before, after }) => ({
        action: 'assignment_changed',
        subjectType: 'warden_assignment',
        subjectUid: uid,
        before: { status: before },
        after: { status: after, ...(actor.personUid === null && { by: 'import' }) },
      })),
  )
}
