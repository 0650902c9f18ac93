import type { Mapping } from '#features/uploads/calls.ts'
import { uploadLimits } from '#kernel/console-kinds.ts'
import type { ClientUid } from '#kernel/ids.ts'
import type { Db } from '#server/platform/db/db.ts'
import { readPhone } from '#server/platform/phones.ts'
import { directoryFiles, type FileFormat } from '../files/directory-files.ts'
import type { ImportProblem, Problems } from '../files/problems.ts'
import type { RowSource, SourceRow } from '../files/row-source.ts'
import { FloorNames } from './floor-names.ts'
import { listByCode, type StoredPerson } from './who-is-who.queries.ts'
import { findWho, type GivenRow } from './who-is-who.ts'

/** A table of people with other headings, and the codes of its new people. */
export interface OtherHeadings {
  mapping: Mapping
  /** Codes that were made before, by line. */
  made: ReadonlyMap<number, string>
  /** Codes for new people. */
  makeCodes: (lines: readonly number[]) => Promise<string[]>
}

interface Turning extends OtherHeadings {
  session: Db
  client: { uid: ClientUid; country: string }
}

/** The table as rows of people.csv, in front of all other checks. Its lines stay. */
export const withOurHeadings = (source: RowSource, turning: Turning): RowSource => ({
  ...source,
  rows: (format, problems) =>
    format === directoryFiles.people ? turned(source, turning, problems) : source.rows(format, problems),
})

async function* turned(source: RowSource, turning: Turning, problems: Problems): AsyncGenerator<SourceRow> {
  const { session, client, mapping } = turning
  const { file } = directoryFiles.people
  const refuse = ({ line }: GivenRow, column: string, reason: string) => problems.add(file, line, column, reason)
  const given = await readGiven(source, mapping, problems)
  if (!given) return
  const rows = given.filter((row) => readName(row, refuse))
  const who = await findWho(session, client.uid, rows, {
    made: turning.made,
    refuse,
    mobileOf: (text) => numberOf(text, client.country),
  })
  const lines = rows.filter((row) => who.get(row.line) === null).map(({ line }) => line)
  const codes = lines.length > 0 ? await turning.makeCodes(lines) : []
  for (const [n, line] of lines.entries()) who.set(line, codes[n] ?? '')
  const known = [...who.values()].filter((code) => code !== null)
  const stored = new Map((await listByCode(session, client.uid, known)).map((person) => [person.code, person]))
  const floors = await FloorNames.of(session, client.uid)
  for (const row of rows) {
    const code = who.get(row.line)
    if (!code) continue
    const before = stored.get(code)
    if (before?.kind === 'visitor') refuse(row, 'code', 'is the code of a visitor')
    else yield { file, line: row.line, cells: cellsOf(row, code, before, { floors, refuse }) }
  }
}

function numberOf(text: string, country: string): string | null {
  const read = readPhone(text, country)
  return read && 'number' in read ? read.number : null
}

type Refuse = (row: GivenRow, column: string, reason: string) => void

/** Undefined, with the reason reported, for a table that is too long. */
async function readGiven(source: RowSource, { columns }: Mapping, problems: Problems) {
  const headings = [...new Set(columns.map(({ heading }) => heading))]
  const format: FileFormat = {
    file: directoryFiles.people.file,
    columns: headings,
    required: headings,
    optional: [],
    passesOver: true,
  }
  const rows: GivenRow[] = []
  for await (const { file, line, cells } of source.rows(format, problems)) {
    if (rows.length === uploadLimits.mappedRows) {
      const most = uploadLimits.mappedRows.toLocaleString('en')
      problems.addUnreadable(file, line, '', `is more than ${most} rows: use the headings of the import format`)
      return undefined
    }
    const given = columns.map(({ column, heading }) => [column, (cells[heading] ?? '').trim().normalize('NFC')])
    rows.push({ line, ...Object.fromEntries(given) })
  }
  return rows
}

/** 'Ann Smith', 'Smith, Ann', and the one name of a person, which is a last name. False, with the reason reported, without any. */
function readName(row: GivenRow, refuse: Refuse): boolean {
  if (row.full_name !== undefined) {
    const { last, first } =
      /^(?:(?<last>[^,]+),(?<first>.+)|(?<first>.+)\s+(?<last>\S+))$/s.exec(row.full_name)?.groups ?? {}
    row.first_name = first?.trim() ?? ''
    row.last_name = last?.trim() ?? row.full_name.replaceAll(',', '').trim()
  }
  if (row.first_name || row.last_name) return true
  refuse(row, 'first_name', 'Enter a first name or a last name.')
  return false
}

/** An empty cell leaves what is stored, and so does a column that is left out. */
function cellsOf(
  row: GivenRow,
  code: string,
  before: StoredPerson | undefined,
  { floors, refuse }: { floors: FloorNames; refuse: Refuse },
): SourceRow['cells'] {
  const { email, mobile, building, floor } = row
  const place = building ? `${building} - ${floor}` : floor
  const held = before?.mobile ? `+${before.mobile}` : ''
  return {
    code,
    ...namesOf(row, before),
    is_client_master: before?.isClientMaster ? 'yes' : 'no',
    ...(email !== undefined && { email: isSame(email, before) ? (before?.email ?? '') : email }),
    ...(mobile !== undefined && { mobile: mobile || held }),
    floor: floor && place ? floorOf(row, floors.meant(place), refuse) : floors.stored(before?.floorUid ?? null),
  }
}

/** A full name says all of it. Who is stored by one name keeps it so where the row has it as the first name. */
function namesOf({ first_name = '', last_name = '', full_name }: GivenRow, before: StoredPerson | undefined) {
  const isSameOne = before?.firstName === '' && last_name === '' && first_name === before.lastName
  if (!before || full_name !== undefined || isSameOne) return { first_name, last_name }
  return { first_name: first_name || before.firstName, last_name: last_name || before.lastName }
}

/** No one signs in otherwise because a table writes an e-mail in capitals. */
const isSame = (email: string, before: StoredPerson | undefined) =>
  email === '' || email.toLowerCase() === before?.email?.toLowerCase()

function floorOf(row: GivenRow, [cell, ...others]: string[], refuse: Refuse): string {
  if (cell !== undefined && others.length === 0) return cell
  const what = cell === undefined ? 'is not a known floor' : `is the name of ${others.length + 1} floors`
  refuse(row, 'floor', `${what}: write 'Building - Floor', each by its name or code`)
  return ''
}

/** The problem with the name of the file and the heading that its owner knows. */
export function inTheirWords({ name: file, columns }: Mapping, problem: ImportProblem): ImportProblem {
  if (problem.file !== directoryFiles.people.file) return problem
  const own = (column: string) => columns.find((other) => other.column === column)?.heading
  const isName = problem.column === 'first_name' || problem.column === 'last_name'
  const otherwise = problem.column === 'code' ? '' : problem.column
  const columnsOfIt = [problem.column, ...(isName ? ['full_name', 'first_name', 'last_name'] : [])]
  const column = columnsOfIt.map(own).find((heading) => heading !== undefined) ?? otherwise
  return { ...problem, file, column }
}
