import type { BundleLine } from '#features/log/server/bundle.service.ts'
import { readWords } from '#features/log/server/names/names-kept.service.ts'
import { sayOfRecord, wordsOfRecord } from '#features/records/doing.ts'
import { timesOf } from '#features/records/times.ts'
import type { Tx } from '#server/platform/db/db.ts'
import type { ExportTask } from '../export-task.ts'
import { packedPeople } from '../packed-lines.ts'
import type { RecordData } from '../record-data.ts'
import { type ExportedWarden, readWardens } from '../warden-lines.ts'
import { type Part, type Section, table } from './pdf-parts.ts'

/**
 * With 'Where needed' people who were not accounted for, in danger, or refused, and wardens; with 'All'
 * everyone as well. Stops above so many rows.
 */
export async function listNames(tx: Tx, task: ExportTask, data: RecordData, most: number): Promise<Names> {
  if (task.names === 'none') return { rows: 0, needed: [], all: [], wardens: [] }
  const wardens: ExportedWarden[] = []
  for await (const warden of readWardens(tx, task, data)) wardens.push(warden)
  const people: BundleLine[] = []
  for await (const line of packedPeople(tx, task, data)) {
    if (!(task.names === 'all' || isNeeded(line))) continue
    people.push(line)
    if (people.length + wardens.length > most) break
  }
  const sorted = people.toSorted(await orderOf(tx, task))
  const needed = sorted.filter(isNeeded)
  const say = sayOfRecord(data.record)
  const section = (title: string, of: BundleLine[]): Section => ({ title, parts: [peopleTable(data, of)] })
  return {
    rows: needed.length + wardens.length + (task.names === 'all' ? sorted.length : 0),
    needed: [section(say('Not accounted for, in danger, or refused'), needed)],
    all: task.names === 'all' ? [section('All people', sorted)] : [],
    wardens: [{ kind: 'heading', text: 'Names of wardens' }, wardensTable(data, wardens)],
  }
}

interface Names {
  /** Of all tables. */
  rows: number
  needed: Section[]
  all: Section[]
  wardens: Part[]
}

const timeIn = ({ record }: RecordData) => {
  const times = timesOf(record)
  return (at: unknown) => (typeof at === 'string' ? times.short(at) : '–')
}

function peopleTable(data: RecordData, people: readonly BundleLine[]): Part {
  const time = timeIn(data)
  const words = stateOf(data)
  return table(
    ['Name', 'Place', 'At the end', 'Last seen'],
    ['2', '2', '1.7', '1.1'],
    people.map((line) => [
      ...[String(line.name), placeOf(line), words(line), time(line.status_observed_at ?? line.status_at)],
    ]),
  )
}

function wardensTable(data: RecordData, wardens: readonly ExportedWarden[]): Part {
  const time = timeIn(data)
  return table(
    ['Name', 'Role', 'Reported in', 'Not available', 'Off duty'],
    ['2', '2', '1', '1', '1'],
    wardens
      .toSorted((a, b) => byName(a.role, b.role) || byName(a.name, b.name))
      .map((one) => [one.name, one.role, time(one.reportedIn), time(one.notAvailable), time(one.offDuty)]),
  )
}

const ofNames = new Intl.Collator('und')
const ofPlaces = new Intl.Collator('und', { numeric: true })
const byName = (a: unknown, b: unknown) => ofNames.compare(String(a), String(b))
const byPlace = (a: unknown, b: unknown) => ofPlaces.compare(String(a), String(b))

/** By building, floor from the top, and then as lists sort. People without a floor stand last of their building. */
async function orderOf(tx: Tx, { reach, eventUid }: ExportTask) {
  const words = await readWords(tx, { clientUid: reach.clientUid, eventUid })
  const level = ({ floor }: BundleLine) =>
    typeof floor === 'string' ? (words.floor(floor)?.level ?? 0) : Number.NEGATIVE_INFINITY
  return (a: BundleLine, b: BundleLine) =>
    byPlace(a.building_name, b.building_name) ||
    (level(a) === level(b) ? byPlace(b.floor_name ?? '', a.floor_name ?? '') : level(b) - level(a)) ||
    byName(a.name, b.name)
}

const isNeeded = ({ status, refused }: BundleLine) => status !== 'safe' || refused === true
const placeOf = ({ building_name: building, floor_name: floor }: BundleLine) =>
  floor === null ? String(building) : `${building} - ${floor}`

/** How someone stood at the end: 'In danger, left with Tower B'. */
function stateOf({ record }: RecordData) {
  const { safe, inDanger, refused: hasRefused } = wordsOfRecord(record)
  const words: Record<string, string> = { safe: capital(safe), unknown: 'Unknown', danger: capital(inDanger) }
  return ({ status, refused, left_with, building_name: building }: BundleLine) =>
    [
      words[String(status)] ?? status,
      ...(refused === true ? [hasRefused] : []),
      ...(left_with ? [`left with ${building}`] : []),
    ].join(', ')
}
const capital = (text: string) => `${text.charAt(0).toUpperCase()}${text.slice(1)}`
