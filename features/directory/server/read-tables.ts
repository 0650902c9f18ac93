import type { DirectoryFile, OrganisationRow } from '../columns.ts'
import type { RequestedAccount } from './accounts/difference-of-accounts.ts'
import { type AssignmentPlan, isOpen, planAssignments } from './assignments/difference-of-assignments.ts'
import { type Known, noneKnown } from './files/code-index.ts'
import { directoryFiles } from './files/directory-files.ts'
import type { Problems } from './files/problems.ts'
import { checkNames, type FileRows, type Reading, type RowReader, readFile } from './files/reading.ts'
import type { RowSource } from './files/row-source.ts'
import { readDocument } from './row-readers/documents.ts'
import { readGroups } from './row-readers/groups.ts'
import {
  checkChecklist,
  readChecklistItem,
  readEventType,
  readFloorStatus,
  readTemplate,
} from './row-readers/messages.ts'
import { readOrganisation } from './row-readers/organisation.ts'
import { readPeep, readPerson } from './row-readers/people.ts'
import { readBuilding, readFloor, readSite } from './row-readers/places.ts'
import { readAssignment, readRole } from './row-readers/wardens.ts'
import type { Stored } from './stored/stored-rows.ts'

export interface ReadOptions {
  source: RowSource
  organisation: OrganisationFile
  now: Date
  deactivateMissing: boolean
  problems: Problems
  onRow: () => void
}

/** Rows of the import format, checked against each other and the database. Write them only if there is no problem. */
export type CheckedTables = Awaited<ReturnType<typeof readTables>>

export async function readTables(stored: Stored, options: ReadOptions) {
  const { client, held, known, assignments: existing } = stored
  const { source, organisation, now, problems, deactivateMissing, onRow } = options
  const reading: Reading = { source, problems, known, now }
  const read = <T>(file: DirectoryFile, reader: RowReader<T>) => readFile(reading, directoryFiles[file], reader, onRow)

  const sites = await read('sites', readSite)
  const buildings = await read('buildings', readBuilding)
  const floors = await read('floors', readFloor)
  const roles = await read('roles', readRole)
  const named = (of: 'site' | 'building' | 'floor' | 'role', file: DirectoryFile) => ({
    storedName: (uid: string) => held[of].get(uid)?.name,
    file: directoryFiles[file].file,
    problems,
  })
  checkNames(known.sites, named('site', 'sites'))
  checkNames(known.buildings, { ...named('building', 'buildings'), scopeOf: ({ site }) => site })
  checkNames(known.floors, { ...named('floor', 'floors'), scopeOf: ({ building }) => building })
  checkNames(known.roles, named('role', 'roles'))

  const people = await read('people', readPerson)
  const leaving = (people?.rows ?? []).filter(({ ends }) => ends).map(({ uid }) => uid)
  const missingPeople = people && deactivateMissing ? retireMissing(known) : []
  const groups = await readGroups(stored, reading, read)
  const peeps = await read('peeps', readPeep)
  const assignments = await read('assignments', readAssignment)
  const assignmentPlan = assignments && planAssignments(assignments.rows, existing, problems)
  if (deactivateMissing) {
    refuseEmpty('people.csv', people, problems)
    refuseEmpty('assignments.csv', assignments, problems)
  }
  const checklist = await read('checklist', readChecklistItem)
  if (checklist) checkChecklist(reading, held)
  return {
    organisation,
    /** The stored organisation. Undefined for a new one. */
    client,
    held,
    known,
    sites,
    buildings,
    floors,
    roles,
    people,
    /** People who end, by a cell or because the file lacks them. */
    missingPeople: [...leaving, ...missingPeople],
    ...groups,
    peeps,
    openAssignments: existing.filter(isOpen).length,
    assignments: assignmentPlan && { ...assignmentPlan, missing: deactivateMissing ? assignmentPlan.missing : [] },
    eventTypes: await read('eventTypes', readEventType),
    floorStatuses: await read('floorStatuses', readFloorStatus),
    checklist,
    templates: await read('templates', readTemplate),
    documents: await read('documents', readDocument),
    requested: requestedAccounts(people?.rows ?? [], assignmentPlan, stored),
  }
}

export type OrganisationFile = NonNullable<Awaited<ReturnType<typeof readOrganisationFile>>>

/** Undefined, with the reason reported, if the source has no organisation. `mayBeEmpty`: the header alone, as in the templates. */
export async function readOrganisationFile(
  source: RowSource,
  now: Date,
  problems: Problems,
  { mayBeEmpty = false } = {},
) {
  const reading = { source, now, problems, known: noneKnown }
  const file = await readFile<OrganisationRow>(reading, directoryFiles.organisation, readOrganisation)
  const [row, second] = file?.rows ?? []
  if (file && second)
    problems.add('organisation.csv', 0, '', 'has more than one row: a folder contains one organisation')
  else if (file && !row && problems.list.length === 0 && !mayBeEmpty)
    problems.add('organisation.csv', 0, '', 'has no row')
  return file && row && { row, columns: file.columns }
}

/** People who are missing from the file. Other files may not refer to them. */
function retireMissing({ people }: Known): string[] {
  const missing = [...people.values()].filter(({ line, active }) => line === undefined && active)
  for (const person of missing) person.active = false
  return missing.map(({ uid }) => uid)
}

/** Rejects an empty file, because an interrupted export must not end everyone. */
function refuseEmpty(file: string, part: FileRows<unknown> | undefined, problems: Problems) {
  if (part?.rows.length === 0)
    problems.add(file, 0, '', 'has no rows: --deactivate-missing would end everything of its kind')
}

/** The people who sign in: with a user name or password, an assignment, or an existing account. */
function requestedAccounts(
  people: FileRows<ReturnType<typeof readPerson>>['rows'],
  assignments: AssignmentPlan | undefined,
  { known, held }: Pick<Stored, 'known' | 'held'>,
): RequestedAccount[] {
  const appointed = new Map((assignments?.rows ?? []).map(({ person, line }) => [person, line]))
  const inFile = people
    .filter(({ kind }) => kind === 'staff')
    // who is out of use without an account, such as someone who was merged away, gets none by what they once had
    .filter(
      (row) =>
        row.accountUid ||
        row.username ||
        row.password ||
        (appointed.has(row.code) && (row.isWanted || !held.person.has(row.uid))),
    )
    .map((row) => ({ ...row, file: 'people.csv', personUid: row.uid, givesWay: !row.isWanted }))
  const inDatabase = [...appointed].flatMap(([code, line]) => {
    const person = known.people.get(code)
    if (!person || person.line !== undefined || person.accountUid) return []
    const { uid, email, mobile } = person
    const requested = { personUid: uid, accountUid: null, email, mobile, username: undefined, password: null }
    return [{ ...requested, file: 'assignments.csv', line }]
  })
  // without any sign-in name there is no account
  return [...inFile, ...inDatabase].filter(
    ({ accountUid, email, username, mobile }) => accountUid || email || username || mobile,
  )
}
