import type { ClientUid } from '#kernel/ids.ts'
import { csvLine } from '#server/platform/csv.ts'
import type { Db } from '#server/platform/db/db.ts'
import { formatPhone } from '#server/platform/phones.ts'
import type { DirectoryFile } from '../../columns.ts'
import { directoryFiles } from '../files/directory-files.ts'
import type { Cells } from '../files/row-source.ts'
import {
  getClient,
  listAssignments,
  listErased,
  listMembers,
  listTemplatesInOrder,
  listUsernames,
} from '../stored/load-code-index.queries.ts'
import { organisationCells, StoredCells } from '../stored/row-to-cells.ts'
import { byKey, type Held, type RowsOf } from '../stored/stored-rows.ts'
import { type HeldRow, listHeld, type TargetName, targets } from '../stored/write.queries.ts'

/** What an administrator may take away: everything, or people and assignments of these uids. */
export interface ExportReach {
  plans: boolean
  /** Null: everyone. */
  people: ReadonlySet<string> | null
  assignments: ReadonlySet<string> | null
}

export interface ExportedFile {
  name: string
  lines(): Iterable<string>
}

export interface Exported {
  files: ExportedFile[]
  /** Keys of stored documents, which the rows name as `documents/KEY`. */
  documents: string[]
}

/** A folder of the archive for the files of documents. */
export const documentFolder = 'documents'

/**
 * The organisation as files of the import format, without passwords. Imported into an empty installation they give
 * the same directory. Rows stand in the order of their codes, templates in that of their numbers.
 */
export async function exportTables(db: Db, clientUid: ClientUid, reach: ExportReach): Promise<Exported> {
  const rows: Record<string, unknown> = {}
  for (const name of Object.keys(targets) as TargetName[])
    rows[name] = name === 'peep' && !reach.plans ? [] : await listHeld(db, clientUid, name)
  const erased = await listErased(db, clientUid)
  rows.person = (rows.person as { uid: string }[]).filter(({ uid }) => !erased.has(uid))
  const held = byKey(rows as RowsOf)
  const cells = StoredCells.of(held)
  const tables = new Map<DirectoryFile, Cells[]>()
  for (const name of Object.keys(targets) as TargetName[]) tables.set(targets[name].file, cellsOf(name, held, cells))
  tables.set('organisation', [organisationCells(await getClient(db, clientUid))])
  tables.set('people', await peopleOf(db, clientUid, held, { cells, reach }))
  tables.set('groupMembers', membersOf(await listMembers(db, clientUid), held, cells))
  tables.set('templates', inOrderOf(tables.get('templates') ?? [], await listTemplatesInOrder(db, clientUid)))
  const assignments = (await listAssignments(db, clientUid))
    .filter(({ uid }) => reach.assignments?.has(uid) ?? true)
    .filter(({ personUid }) => !erased.has(personUid))
  tables.set('assignments', sorted(assignments.map((row) => ({ ...cells.assignment(row), status: row.status }))))
  const documents = [...held.document.values()].flatMap(({ storageKey }) => storageKey ?? [])
  return { files: filesOf(tables, reach), documents: reach.people ? [] : documents }
}

/** Empty tables are left out. Who reaches a part of the organisation has people and assignments. */
function filesOf(tables: ReadonlyMap<DirectoryFile, readonly Cells[]>, { people }: ExportReach): ExportedFile[] {
  return (Object.keys(directoryFiles) as DirectoryFile[])
    .filter((file) => (tables.get(file)?.length ?? 0) > 0)
    .filter((file) => !people || file === 'people' || file === 'assignments')
    .map((file) => ({ name: directoryFiles[file].file, lines: () => linesOf(file, tables.get(file) ?? []) }))
}

function* linesOf(file: DirectoryFile, rows: readonly Cells[]): Generator<string> {
  const columns = directoryFiles[file].columns.filter((column) => column !== 'password')
  yield `\ufeff${csvLine(columns)}`
  for (const row of rows) yield csvLine(columns.map((column) => cellOf(row, column)))
}

/** A spreadsheet turns '+61491000001' into 6.1491E+10, and keeps it with spaces. */
function cellOf(row: Cells, column: string): string {
  const cell = row[column] ?? ''
  return (column === 'mobile' || column === 'second_mobile') && cell ? formatPhone(cell.replace('+', '')) : cell
}

function cellsOf(name: TargetName, held: Held, cells: StoredCells): Cells[] {
  const rows = [...(held[name] as ReadonlyMap<string, HeldRow<TargetName>>).values()].map((row) => cells.row(name, row))
  if (name !== 'document') return sorted(rows)
  return sorted(rows.map((row) => (row.file ? { ...row, file: `${documentFolder}/${row.file}` } : row)))
}

async function peopleOf(
  db: Db,
  clientUid: ClientUid,
  held: Held,
  { cells, reach }: { cells: StoredCells; reach: ExportReach },
): Promise<Cells[]> {
  const usernames = await listUsernames(db, clientUid)
  const people = [...held.person.values()].filter(({ uid }) => reach.people?.has(uid) ?? true)
  return sorted(people.map((row) => ({ ...cells.row('person', row), username: usernames.get(row.uid) ?? '' })))
}

const membersOf = (members: ReadonlyMap<string, ReadonlySet<string>>, held: Held, cells: StoredCells): Cells[] =>
  sorted(
    [...members].flatMap(([groupUid, people]) =>
      [...people].filter((uid) => held.person.has(uid)).map((personUid) => cells.member({ groupUid, personUid })),
    ),
  )

const inOrderOf = (rows: readonly Cells[], codes: readonly string[]): Cells[] => {
  const places = new Map(codes.map((code, place) => [code, place]))
  const placeOf = ({ code = '' }: Cells) => places.get(code) ?? codes.length
  return rows.toSorted((a, b) => placeOf(a) - placeOf(b))
}

/** By code, or by what else says which row it is. The same in every place and language. */
function sorted(rows: readonly Cells[]): Cells[] {
  const keys = ['building', 'code', 'group', 'person', 'role', 'site', 'date_from']
  const keyOf = (row: Cells) => ('first_name' in row ? row.code : keys.map((key) => row[key] ?? '').join('\n')) ?? ''
  return rows
    .map((row) => ({ row, key: keyOf(row) }))
    .sort((a, b) => (a.key < b.key ? -1 : 1))
    .map(({ row }) => row)
}
