import type { BundleLine } from '#features/log/server/bundle.service.ts'
import { timesOf } from '#features/records/times.ts'
import type { Tx } from '#server/platform/db/db.ts'
import type { ExportTask } from '../export-task.ts'
import { packedPeople } from '../packed-lines.ts'
import type { RecordData } from '../record-data.ts'
import { readWardens } from '../warden-lines.ts'
import { type Section, table } from './pdf-parts.ts'

/**
 * With 'Where needed' people who were not accounted for, in danger, or refused, and wardens; with 'All'
 * everyone. Stops above so many rows.
 */
export async function listNames(tx: Tx, task: ExportTask, data: RecordData, most: number): Promise<Names> {
  if (task.names === 'none') return { rows: 0, sections: [] }
  const times = timesOf(data.record)
  const time = (at: unknown) => (typeof at === 'string' ? times.short(at) : '–')
  const wardens: string[][] = []
  for await (const warden of readWardens(tx, task, data))
    wardens.push([warden.name, warden.role, time(warden.reportedIn), time(warden.notAvailable), time(warden.offDuty)])
  const people: string[][] = []
  for await (const line of packedPeople(tx, task, data)) {
    if (!(task.names === 'all' || isNeeded(line))) continue
    people.push([String(line.name), placeOf(line), wordsOf(line), time(line.status_observed_at ?? line.status_at)])
    if (people.length + wardens.length > most) break
  }
  return {
    rows: people.length + wardens.length,
    sections: [
      {
        title: task.names === 'all' ? 'All people' : 'People not accounted for, in danger, or who refused',
        parts: [table(['Name', 'Place', 'At the end', 'Last seen'], ['2', '2', '1.5', '1'], people)],
      },
      {
        title: 'Names of wardens',
        parts: [
          table(['Name', 'Role', 'Reported in', 'Not available', 'Off duty'], ['2', '2', '1', '1', '1'], wardens),
        ],
      },
    ],
  }
}

interface Names {
  rows: number
  sections: Section[]
}

const isNeeded = ({ status, refused }: BundleLine) => status !== 'safe' || refused === true
const placeOf = ({ building_name: building, floor_name: floor }: BundleLine) =>
  floor === null ? String(building) : `${building} - ${floor}`
const words: Record<string, string> = { safe: 'Safe', unknown: 'Unknown', danger: 'In danger' }
const wordsOf = ({ status, refused }: BundleLine) =>
  `${words[String(status)] ?? status}${refused === true ? ', refused to leave' : ''}`
