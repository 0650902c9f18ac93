import type { Db } from '../../platform/db.ts'
import type { AccountWish } from './accounts/account-plan.ts'
import { type AssignmentPlan, planAssignments } from './assignments/assignment-plan.ts'
import { type DirectoryFile, directoryFiles } from './files/directory-files.ts'
import type { Problems } from './files/problems.ts'
import { checkNames, type FileRows, type Reading, type RowReader, readFile } from './files/reading.ts'
import {
  findClient,
  listAssignments,
  listBuildings,
  listCoded,
  listFloors,
  listPeeps,
  listPeople,
  listRoles,
  listSites,
} from './known.queries.ts'
import type { Known } from './known.ts'
import { readDocument } from './row-readers/documents.ts'
import { readEventType, readFloorStatus, readTemplate } from './row-readers/messages.ts'
import { type OrganisationRow, readOrganisation } from './row-readers/organisation.ts'
import { readPeep, readPerson } from './row-readers/people.ts'
import { readBuilding, readFloor, readSite } from './row-readers/places.ts'
import { readAssignment, readRole } from './row-readers/wardens.ts'

export interface FolderOptions {
  folder: string
  now: Date
  deactivateMissing: boolean
  problems: Problems
  onRow: () => void
}

/** Everything a folder says, checked against itself and the database. To be written only when there is no problem. */
export type Folder = NonNullable<Awaited<ReturnType<typeof readFolder>>>

/** Undefined when there is no organisation to read the other files for. */
export async function readFolder(db: Db, options: FolderOptions) {
  const { folder, now, problems, deactivateMissing, onRow } = options
  const organisation = await readOrganisationFile(options)
  if (!organisation) return undefined
  const known = await loadKnown(db, organisation.row, organisation.columns)
  const reading: Reading = { folder, problems, known, now }
  const read = <T>(file: DirectoryFile, reader: RowReader<T>) => readFile(reading, directoryFiles[file], reader, onRow)

  const sites = await read('sites', readSite)
  const buildings = await read('buildings', readBuilding)
  const floors = await read('floors', readFloor)
  const roles = await read('roles', readRole)
  checkNames(known.sites, () => '', 'sites.csv', problems)
  checkNames(known.buildings, ({ site }) => site, 'buildings.csv', problems)
  checkNames(known.floors, ({ building }) => building, 'floors.csv', problems)
  checkNames(known.roles, () => '', 'roles.csv', problems)

  const people = await read('people', readPerson)
  const missingPeople = people && deactivateMissing ? retireMissing(known) : []
  const peeps = await read('peeps', readPeep)
  const assignments = await read('assignments', readAssignment)
  const existing = assignments ? await listAssignments(db, known.client.uid) : []
  const assignmentPlan = assignments && planAssignments(assignments.rows, existing, problems)
  if (deactivateMissing) {
    refuseEmpty('people.csv', people, problems)
    refuseEmpty('assignments.csv', assignments, problems)
  }
  return {
    organisation,
    known,
    sites,
    buildings,
    floors,
    roles,
    people,
    missingPeople,
    peeps,
    assignments: assignmentPlan && { ...assignmentPlan, missing: deactivateMissing ? assignmentPlan.missing : [] },
    eventTypes: await read('eventTypes', readEventType),
    floorStatuses: await read('floorStatuses', readFloorStatus),
    templates: await read('templates', readTemplate),
    documents: await read('documents', readDocument),
    wishes: wishAccounts(people?.rows ?? [], assignmentPlan, known),
  }
}

async function readOrganisationFile(options: FolderOptions) {
  const reading = { ...options, known: noneKnown }
  const file = await readFile<OrganisationRow>(reading, directoryFiles.organisation, readOrganisation, options.onRow)
  const [row, second] = file?.rows ?? []
  if (file && second)
    options.problems.add('organisation.csv', 0, '', 'has more than one row; a folder is one organisation')
  else if (file && !row && options.problems.list.length === 0)
    options.problems.add('organisation.csv', 0, '', 'has no row')
  return file && row && { row, columns: file.columns }
}

const noneKnown: Known = {
  client: { uid: '', code: '', timezone: '', country: '' },
  sites: new Map(),
  buildings: new Map(),
  floors: new Map(),
  roles: new Map(),
  people: new Map(),
  peeps: new Map(),
  eventTypes: new Map(),
  floorStatuses: new Map(),
  templates: new Map(),
  documents: new Map(),
}

async function loadKnown(db: Db, row: OrganisationRow, columns: ReadonlySet<string>): Promise<Known> {
  const client = await findClient(db, row.code)
  const timezone = columns.has('timezone') || !client ? row.timezone : client.timezone
  const country = columns.has('country') || !client ? row.country : client.country
  const uid = client?.uid ?? crypto.randomUUID()
  const known = { ...noneKnown, client: { uid, code: row.code, timezone, country } }
  const byCode = <K extends { code: string }>(rows: K[]) => new Map(rows.map((entry) => [entry.code, entry]))
  return {
    ...known,
    sites: byCode(await listSites(db, uid)),
    buildings: byCode(await listBuildings(db, uid)),
    floors: new Map((await listFloors(db, uid)).map((floor) => [`${floor.building}/${floor.code}`, floor])),
    roles: byCode(await listRoles(db, uid)),
    people: byCode(await listPeople(db, uid)),
    peeps: byCode(await listPeeps(db, uid)),
    eventTypes: byCode(await listCoded(db, uid, 'eventType')),
    floorStatuses: byCode(await listCoded(db, uid, 'floorStatus')),
    templates: new Map(),
    documents: byCode(await listCoded(db, uid, 'document')),
  }
}

/** People the file no longer has. Other files may not name them any more either. */
function retireMissing({ people }: Known): string[] {
  const missing = [...people.values()].filter(({ line, active }) => line === undefined && active)
  for (const person of missing) person.active = false
  return missing.map(({ uid }) => uid)
}

/** An export that broke off must not end everybody. */
function refuseEmpty(file: string, part: FileRows<unknown> | undefined, problems: Problems) {
  if (part?.rows.length === 0) problems.add(file, 0, '', 'has no rows: --deactivate-missing would end everything in it')
}

/** Who signs in: people with a user name or a password, with an assignment, or with an account already. */
function wishAccounts(
  people: FileRows<ReturnType<typeof readPerson>>['rows'],
  assignments: AssignmentPlan | undefined,
  known: Known,
): AccountWish[] {
  const appointed = new Map((assignments?.rows ?? []).map(({ person, line }) => [person, line]))
  const inFile = people
    .filter(({ kind }) => kind === 'staff')
    .filter((row) => row.accountUid || row.username || row.password || appointed.has(row.code))
    .map((row) => ({ ...row, file: 'people.csv', personUid: row.uid }))
  const inDatabase = [...appointed].flatMap(([code, line]) => {
    const person = known.people.get(code)
    if (!person || person.line !== undefined || person.accountUid) return []
    const { uid, email, mobile } = person
    const wish = { personUid: uid, accountUid: null, email, mobile, username: undefined, password: null }
    return [{ ...wish, file: 'assignments.csv', line }]
  })
  // nobody can sign in by nothing
  return [...inFile, ...inDatabase].filter(
    ({ accountUid, email, username, mobile }) => accountUid || email || username || mobile,
  )
}
