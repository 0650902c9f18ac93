import { sql } from 'kysely'
import type { Db } from '../platform/db/db.ts'

/** Safe, unknown, danger, refusals of each place where they are not all zero. */
export type PlaceCounts = Record<string, number[]>

interface Told {
  status?: 'safe' | 'unknown' | 'danger'
  superseded?: boolean
  stays?: true
  refused?: boolean
  floor_uid?: string | null
  building_uid?: string
  tally?: [string, number, number, number, number][]
}
const columnOf = { safe: 0, unknown: 1, danger: 2 } as const
const placeOf = ({ floor_uid, building_uid }: Told) => floor_uid ?? building_uid ?? 'no place'

/**
 * The counts of each place, from the journal alone. An entry with a tally says by how much it changed each place.
 * Any other status or refusal moves one person. Changes commute: the order of the entries does not matter.
 */
export async function replayedTally(db: Db, eventUid: string): Promise<PlaceCounts> {
  const counts: PlaceCounts = {}
  const add = (place: string, column: number, by: number) => {
    const row = counts[place] ?? [0, 0, 0, 0]
    counts[place] = row.with(column, (row[column] ?? 0) + by)
  }
  const entries = db
    .selectFrom('journal')
    .select(['action', 'before', 'after'])
    .where(sql<boolean>`event_uid = ${eventUid}`)
  for (const entry of await entries.execute()) {
    const [before, after] = [(entry.before ?? {}) as Told, (entry.after ?? {}) as Told]
    for (const [place, ...row] of after.tally ?? []) for (const [column, by] of row.entries()) add(place, column, by)
    if (after.tally) continue
    if (entry.action === 'evacuee_refusal_set') add(placeOf(after), 3, after.refused ? 1 : -1)
    if (entry.action !== 'evacuee_status_set' || after.superseded) continue
    const [from, to] = [placeOf(before), placeOf(after.stays ? before : after)]
    add(from, columnOf[before.status ?? 'unknown'], -1)
    add(to, columnOf[after.status ?? 'unknown'], 1)
    if (before.refused) {
      add(from, 3, -1)
      add(to, 3, 1)
    }
  }
  return withoutEmpty(counts)
}

/** The same as the table `tally` has it. */
export async function storedTally(db: Db, eventUid: string): Promise<PlaceCounts> {
  const rows = await db.selectFrom('tally').selectAll().where(sql<boolean>`event_uid = ${eventUid}`).execute()
  return withoutEmpty(
    Object.fromEntries(
      rows.map(({ placeUid, safe, unknown, danger, refusals }) => [placeUid, [safe, unknown, danger, refusals]]),
    ),
  )
}

const withoutEmpty = (counts: PlaceCounts): PlaceCounts =>
  Object.fromEntries(Object.entries(counts).filter(([, row]) => row.some((count) => count !== 0)))
