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
  /^(organisation|sites|buildings|floors|roles|groups|group_members|peeps|assignments|event_types|floor_statuses|templates|documents)\.csv$/
const bytesRead = 1 << 16

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

/** UTF-8, else Windows-1252, as the server reads it. The end may be cut. */
function decode(bytes: ArrayBuffer): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes, { stream: true })
  } catch {
    return new TextDecoder('windows-1252').decode(bytes)
  }
}

/** The header and up to three rows (RFC 4180), by the delimiter that gives the header the most cells. */
function firstRows(text: string): string[][] {
  const ways = [',', ';', '\t'].map((delimiter) => split(text, delimiter))
  return ways.toSorted((a, b) => (b[0]?.length ?? 0) - (a[0]?.length ?? 0))[0] ?? []
}

function split(text: string, delimiter: string): string[][] {
  const rows: string[][] = []
  let row: string[] = []
  const cell = new RegExp(
    `("(?:[^"]|"")*"|[^"${delimiter}\\r\\n][^${delimiter}\\r\\n]*|)(${delimiter}|\\r\\n|\\r|\\n|$)`,
    'y',
  )
  for (let found = cell.exec(text); found && rows.length < 4; found = cell.exec(text)) {
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
  floor: ['floor', 'roomfloor', 'buildingfloor', 'level', 'location', 'place'],
}

export function guess(headings: readonly string[]): Chosen {
  const byName = new Map(headings.map((heading) => [heading.toLowerCase().replace(/[^a-z]/g, ''), heading]))
  const chosen = Object.fromEntries(
    mappedColumns.map((column) => [column, byName.get(guesses[column].find((name) => byName.has(name)) ?? '') ?? '']),
  ) as Chosen
  if (chosen.first_name && chosen.last_name) return { ...chosen, full_name: '' }
  return chosen.full_name ? { ...chosen, first_name: '', last_name: '' } : chosen
}

/** First and last name, or the full name alone. */
export const isNamed = ({ first_name, last_name, full_name }: Chosen): boolean =>
  full_name ? !first_name && !last_name : Boolean(first_name && last_name)

export const mappingOf = ({ name }: OtherHeadings, chosen: Chosen): Mapping => ({
  name,
  columns: mappedColumns.flatMap((column) => {
    const heading = chosen[column]
    return heading ? [{ column, heading }] : []
  }),
})
