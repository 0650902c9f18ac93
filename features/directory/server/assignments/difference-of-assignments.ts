import { randomUUID } from 'node:crypto'
import type { Problems } from '../files/problems.ts'
import type { AssignmentRow, Location } from '../row-readers/wardens.ts'
import type { ExistingAssignment } from '../stored/load-code-index.queries.ts'

export interface PlannedAssignment extends Omit<AssignmentRow, 'status' | 'uid'> {
  uid: string
  status: string
  /** A form sets the status, whatever the last import said, and whatever the warden has answered. */
  overrules: boolean
  isNew: boolean
  held: ExistingAssignment | undefined
  /** The changed column that ends the warden's participation. */
  endsBy: 'status' | 'date_to' | undefined
  locationsDiffer: boolean
  /** True if a person who is a warden today, or was offered to be one, is none afterwards. */
  ends: boolean
}

export interface AssignmentPlan {
  rows: PlannedAssignment[]
  /** Offered or accepted assignments that are missing from the file. */
  missing: ExistingAssignment[]
}

export const isOpen = ({ status }: { status: string }) => status === 'Offered' || status === 'Accepted'

/**
 * Matches rows of the file with stored assignments: by person, role, site and first day. If one of each remains for a
 * person, role and site, they are one assignment with changed dates.
 */
export function planAssignments(
  rows: readonly AssignmentRow[],
  existing: readonly ExistingAssignment[],
  problems: Problems,
): AssignmentPlan {
  refuseTwins(rows, problems)
  const left = new Map(existing.map((assignment) => [exactKey(assignment), assignment]))
  const matches = new Map<AssignmentRow, ExistingAssignment>()
  refuseTaken(rows, left, problems)
  const byUid = new Map(existing.map((assignment) => [assignment.uid, assignment]))
  for (const row of rows) {
    const match = row.uid ? byUid.get(row.uid) : left.get(exactKey(row))
    if (!match) continue
    matches.set(row, match)
    left.delete(exactKey(match))
  }
  const leftRows = Map.groupBy(
    // a form says which assignment it means
    rows.filter((row) => row.uid === undefined && !matches.has(row)),
    groupKey,
  )
  refuseBesideLeftOut([...leftRows.values()].flat(), problems)
  const leftExisting = Map.groupBy(left.values(), groupKey)
  for (const [key, [row, ...more]] of leftRows) {
    const [match, ...others] = leftExisting.get(key) ?? []
    if (!row || !match || more.length + others.length > 0) continue
    matches.set(row, match)
    left.delete(exactKey(match))
  }
  return {
    rows: rows.map((row) => plan(row, matches.get(row))),
    missing: [...left.values()].filter(isOpen),
  }
}

function plan(row: AssignmentRow, match: ExistingAssignment | undefined): PlannedAssignment {
  const status = row.status ?? match?.importedStatus ?? match?.status ?? 'Offered'
  const wanted = row.locations.map(placeKey).sort().join()
  const locationsDiffer = wanted !== (match?.locations ?? []).toSorted().join()
  const by = match && endsBy(row, status, match)
  return {
    ...row,
    uid: match?.uid ?? randomUUID(),
    isNew: !match,
    held: match,
    status,
    overrules: overrules(row),
    endsBy: by,
    locationsDiffer,
    ends:
      (by === 'status' && !isOpen({ status }) && match !== undefined && isOpen(match)) ||
      (by === 'date_to' && match?.isInDate === true && match.status === 'Accepted'),
  }
}

/** True if the assignment is another one afterwards. */
export const differs = ({ held, locationsDiffer, dateFrom, dateTo, status, overrules }: PlannedAssignment) =>
  locationsDiffer ||
  dateFrom !== held?.dateFrom ||
  dateTo !== held.dateTo ||
  (status !== held.status && (overrules || status !== held.importedStatus))

/** True if the file says for the first time what phone or console have said already. Only that is noted. */
export const agrees = (row: PlannedAssignment) =>
  !differs(row) && !row.overrules && row.status === row.held?.status && row.status !== row.held.importedStatus

const overrules = ({ uid, status }: AssignmentRow) => uid !== undefined && status !== undefined

function endsBy(row: AssignmentRow, status: string, match: ExistingAssignment) {
  const isSaid = status !== match.status && (overrules(row) || status !== match.importedStatus)
  if (status !== 'Accepted' && isSaid) return 'status'
  return !row.isInDate && (row.dateFrom !== match.dateFrom || row.dateTo !== match.dateTo) ? 'date_to' : undefined
}

/** A place in the form of `listAssignments`. */
const placeKey = ({ buildingUid, floorUid }: Location) => (floorUid ? `f${floorUid}` : `b${buildingUid}`)

interface Identity {
  personUid: string
  roleUid: string
  siteUid: string
  dateFrom: string
}
const groupKey = ({ personUid, roleUid, siteUid }: Identity) => `${personUid} ${roleUid} ${siteUid}`
const exactKey = (assignment: Identity) => `${groupKey(assignment)} ${assignment.dateFrom}`

/** A form neither makes an open assignment twice, nor moves one onto another. */
function refuseTaken(
  rows: readonly AssignmentRow[],
  existing: ReadonlyMap<string, ExistingAssignment>,
  problems: Problems,
) {
  for (const row of rows) {
    const other = existing.get(exactKey(row))
    if (row.uid === undefined || !other || other.uid === row.uid) continue
    if (row.uid !== null || isOpen(other))
      problems.add(
        'assignments.csv',
        row.line,
        'date_from',
        'is that of another assignment of this person, role and site',
      )
  }
}

/** Without a row of the same person, role and site, another one would be taken for it, with other dates. */
function refuseBesideLeftOut(rows: readonly AssignmentRow[], problems: Problems) {
  for (const { line, codes } of rows) {
    const leftOut = problems.lineLeftOut('assignments.csv', codes)
    if (leftOut !== undefined)
      problems.add('assignments.csv', line, '', `same person, role and site as on line ${leftOut}, which is left out`)
  }
}

function refuseTwins(rows: readonly AssignmentRow[], problems: Problems) {
  const lines = new Map<string, number>()
  for (const row of rows) {
    const before = lines.get(exactKey(row))
    if (before !== undefined && row.personUid && row.roleUid && row.siteUid)
      problems.add('assignments.csv', row.line, 'date_from', `same person, role, site and day as on line ${before}`)
    else lines.set(exactKey(row), row.line)
  }
}
