import { type MappedColumn, mappedColumns } from '#kernel/console-kinds.ts'
import type { Mapping } from './uploads.data.ts'

/** A single table whose headings are not ours: each heading that is named once, with the first cell below it. */
export interface OtherHeadings {
  name: string
  headings: readonly string[]
  samples: ReadonlyMap<string, string>
}
/** The heading of each column. '' or none: left out. */
export type Chosen = Partial<Record<MappedColumn, string>>

const otherTables =
  /^(organisation|sites|buildings|floors|roles|groups|group_members|peeps|assignments|event_types|floor_statuses|checklist|templates|documents)\.csv$/
const bytesRead = 1 << 16

/** Without the ' (1)' that a browser puts behind the name of a table that it keeps for the second time. */
export function asNamed(file: File): File {
  const name = file.name.replace(/ ?\(\d+\)(?=\.csv$)/, '')
  const isTable = name === 'people.csv' || otherTables.test(name)
  return name !== file.name && isTable ? new File([file], name) : file
}

/** Null for several files, for files of the import format, and for what is no CSV. */
export async function findOtherHeadings([file, ...others]: readonly File[]): Promise<OtherHeadings | null> {
  if (!file || others.length > 0 || !/\.csv$/i.test(file.name) || otherTables.test(file.name)) return null
  const text = decode(await file.slice(0, bytesRead).arrayBuffer())
  if (text.startsWith('PK')) return null
  const [header = [], ...rows] = firstRows(text)
  const names = header.map((name) => name.trim())
  const isOurs = ['code', 'first_name', 'last_name'].every((name) => names.includes(name))
  if (isOurs && file.name === 'people.csv') return null
  const headings = names.filter(
    (name) => name !== '' && name.length <= 200 && names.indexOf(name) === names.lastIndexOf(name),
  )
  const sampleOf = (heading: string) => rows.map((row) => row[names.indexOf(heading)]?.trim()).find(Boolean) ?? ''
  return { name: file.name, headings, samples: new Map(headings.map((heading) => [heading, sampleOf(heading)])) }
}

/** From the row on that has most headings with a known meaning: titles may stand above it. */
function belowTitles(rows: readonly string[][]): string[][] {
  const known = (row: readonly string[]) => row.filter((name) => meanings.has(plain(name))).length
  const most = Math.max(0, ...rows.slice(0, mostTitles).map(known))
  return rows.slice(most > 1 ? rows.findIndex((row) => known(row) === most) : 0)
}

/** The server looks for the headings in so many rows. */
const mostTitles = 10

/** UTF-8, UTF-16 with a byte order mark, else Windows-1252, as the server reads it. The end may be cut. */
function decode(bytes: ArrayBuffer): string {
  const [first, second] = new Uint8Array(bytes)
  if (first === 0xff && second === 0xfe) return new TextDecoder('utf-16le').decode(bytes)
  if (first === 0xfe && second === 0xff) return new TextDecoder('utf-16be').decode(bytes)
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes, { stream: true })
  } catch {
    return new TextDecoder('windows-1252').decode(bytes)
  }
}

/** The header and the rows below it (RFC 4180), by the delimiter that gives the header the most cells. */
function firstRows(text: string): string[][] {
  const rows = text.replace(/^sep=.*(\r\n|\r|\n)/i, '')
  const ways = [',', ';', '\t'].map((delimiter) => belowTitles(split(rows, delimiter)))
  return ways.toSorted((a, b) => (b[0]?.length ?? 0) - (a[0]?.length ?? 0))[0] ?? []
}

function split(text: string, delimiter: string): string[][] {
  const rows: string[][] = []
  let row: string[] = []
  const cell = new RegExp(
    `("(?:[^"]|"")*"|[^"${delimiter}\\r\\n][^${delimiter}\\r\\n]*|)(${delimiter}|\\r\\n|\\r|\\n|$)`,
    'y',
  )
  for (let found = cell.exec(text); found && rows.length < mostTitles + 3; found = cell.exec(text)) {
    const [, content = '', end = ''] = found
    row.push(content.startsWith('"') ? content.slice(1, -1).replaceAll('""', '"') : content)
    if (end === delimiter) continue
    if (row.some((other) => other.trim() !== '')) rows.push(row)
    row = []
    if (end === '') break
  }
  return rows
}

/** What a heading may be called, without blanks and signs, the likeliest first. */
const guesses: Record<MappedColumn, readonly string[]> = {
  code: ['code', 'personcode', 'staffcode', 'employeecode', 'staffid', 'employeeid', 'staffnumber', 'employeenumber'],
  first_name: ['firstname', 'givenname', 'forename', 'givennames', 'first', 'given', 'preferredname'],
  last_name: ['lastname', 'surname', 'familyname', 'last', 'family'],
  full_name: ['fullname', 'name', 'displayname', 'staffname', 'employeename', 'person', 'employee'],
  email: ['email', 'emailaddress', 'workemail', 'mail', 'schoolemail', 'emailwork'],
  mobile: [
    'mobile',
    'mobilephone',
    'mobilenumber',
    'cell',
    'cellphone',
    'mobileno',
    'phone',
    'phonenumber',
    'telephone',
  ],
  building: ['building', 'block', 'buildingname'],
  floor: [
    ...['floor', 'roomfloor', 'buildingfloor', 'level', 'storey', 'room', 'roomnumber', 'roomno', 'roomname'],
    ...['location', 'place'],
  ],
}

const plain = (heading: string) => heading.toLowerCase().replace(/[^a-z]/g, '')
const meanings = new Set(Object.values(guesses).flat())

export function guess(headings: readonly string[]): Chosen {
  const byName = new Map(headings.map((heading) => [plain(heading), heading]))
  const chosen = Object.fromEntries(
    mappedColumns.map((column) => [column, byName.get(guesses[column].find((name) => byName.has(name)) ?? '') ?? '']),
  ) as Chosen
  if (chosen.first_name && chosen.last_name) return { ...chosen, full_name: '' }
  return chosen.full_name ? { ...chosen, first_name: '', last_name: '' } : chosen
}

/** First name, last name or both, or the full name alone. */
export const isNamed = ({ first_name, last_name, full_name }: Chosen): boolean =>
  full_name ? !first_name && !last_name : Boolean(first_name || last_name)

export const mappingOf = ({ name }: OtherHeadings, chosen: Chosen): Mapping => ({
  name,
  columns: mappedColumns.flatMap((column) => {
    const heading = chosen[column]
    return heading ? [{ column, heading }] : []
  }),
})
