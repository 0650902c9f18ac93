import type { AssignmentUid, ClientUid, PersonUid, WaitingUid } from '#kernel/ids.ts'
import type { Db } from '#server/platform/db/db.ts'
import { differs, isOpen, type PlannedAssignment } from './assignments/difference-of-assignments.ts'
import { type OnDone, type Part, part } from './import-steps.ts'
import type { Touching } from './protect-on-duty.ts'
import type { CheckedTables } from './read-tables.ts'
import type { RowWriter } from './writing/row-writer.ts'

/** Rows of an assignment: itself, its places, and its journal entry. */
export const rowsOf = ({ locations }: PlannedAssignment) => locations.length + 2

/** Ends PEEPs, then assignments and people. `overPeeps`: people whose plan ends. */
export function planEnds(
  writer: RowWriter,
  { assignments, missingPeople }: Touching,
  overPeeps: readonly string[],
  onDone: OnDone,
): Part[] {
  const endings = assignments.rows.filter((row) => row.endsBy !== undefined && differs(row))
  const plans = part(overPeeps, {
    write: (tx, over) => writer.endPlans(tx, over),
    done: (over) => onDone('peeps.csv', 'ended', over.length),
  })
  const rows = part(endings, {
    size: rowsOf,
    touching: (some) => ({ assignments: { rows: some, missing: [] } }),
    write: (tx, some) => writer.assignments(tx, { rows: some, missing: [] }),
    done: (some) => onDone('assignments.csv', 'updated', some.length),
  })
  const missing = part(assignments.missing, {
    size: () => 2,
    touching: (some) => ({ assignments: { rows: [], missing: some } }),
    write: (tx, some) => writer.assignments(tx, { rows: [], missing: some }),
    done: (some) => onDone('assignments.csv', 'ended', some.length),
  })
  const people = part(missingPeople, {
    touching: (some) => ({ missingPeople: some }),
    write: (tx, some) => writer.endPeople(tx, some),
    done: (some) => onDone('people.csv', 'ended', some.length),
  })
  return [plans, rows, missing, people]
}

/** Ends that someone on duty, or the last administrator, puts off. */
export interface PutOff {
  people: readonly PersonUid[]
  assignments: readonly { uid: AssignmentUid; personUid: PersonUid }[]
}

/** The ends of the tables that were spared. */
export function putOffOf({ missingPeople, assignments }: CheckedTables, spared: Touching): PutOff {
  const goes = new Set([...spared.missingPeople, ...spared.assignments.missing])
  const stands = new Set(spared.assignments.rows.map(({ uid }) => uid))
  const left = [
    ...(assignments?.missing ?? []).filter(({ uid }) => !goes.has(uid)),
    ...(assignments?.rows ?? []).filter(({ uid, ends }) => ends && !stands.has(uid)),
  ]
  return {
    people: missingPeople.filter((uid) => !goes.has(uid)) as PersonUid[],
    assignments: left.map(({ uid, personUid }) => ({
      uid: uid as AssignmentUid,
      personUid: personUid as PersonUid,
    })),
  }
}

/** An end that waits for someone on duty: of an assignment, or of the person. */
export interface Wish {
  uid: WaitingUid
  personUid: PersonUid
  assignmentUid: AssignmentUid | null
}

/** The ends that wait, which a newer wish replaces. */
export interface Wishes {
  listOpen(session: Db, clientUid: ClientUid): Promise<Wish[]>
  /** Drops all of them. False, and none is dropped, if one has happened or was dropped meanwhile. */
  drop(session: Db, clientUid: ClientUid, wishes: readonly Wish[]): Promise<boolean>
}

/** The wishes that the tables are against: they have the person as active, or the assignment as open. */
export function opposedBy({ people, assignments }: CheckedTables, wishes: readonly Wish[]): Wish[] {
  const staying = new Set((people?.rows ?? []).filter(({ isWanted }) => isWanted).map(({ uid }) => uid))
  const open = (assignments?.rows ?? []).filter((row) => isOpen(row) && !row.ends)
  const standing = new Set(open.map(({ uid }) => uid))
  return wishes.filter(({ personUid, assignmentUid }) =>
    assignmentUid ? standing.has(assignmentUid) : staying.has(personUid),
  )
}
