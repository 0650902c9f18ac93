import { sql } from 'kysely'
import { type SafetyStatus, safetyStatuses } from '#kernel/vocabulary.ts'
import type { Db } from '../platform/db/db.ts'
import { type PlaceCounts, replayedTally, storedTally } from './replayed-tally.ts'

interface WrongTally {
  placeUid: string
  kept: string
  counted: string
}

const each = (text: (status: SafetyStatus) => string) => sql.raw(safetyStatuses.map(text).join(', '))

/** Kept counts that differ from a fresh count of the evacuees, or from what the journal tells; empty is right. */
export async function wrongTallies(db: Db, eventUid: string): Promise<WrongTally[]> {
  const [told, stored] = [await replayedTally(db, eventUid), await storedTally(db, eventUid)]
  const places = [...new Set([...Object.keys(told), ...Object.keys(stored)])]
  const shown = (counts: PlaceCounts, place: string) => (counts[place] ?? [0, 0, 0, 0]).join('/')
  const compared = places.map((placeUid) => ({
    placeUid,
    kept: shown(stored, placeUid),
    counted: `${shown(told, placeUid)} in the journal`,
    isWrong: shown(stored, placeUid) !== shown(told, placeUid),
  }))
  const wrong = compared.filter(({ isWrong }) => isWrong).map(({ isWrong: _, ...tally }) => tally)
  return [...(await miscounted(db, eventUid)), ...wrong]
}

/** Kept counts that differ from a fresh count, of an event that an older version has not told in the journal. */
export async function miscounted(db: Db, eventUid: string): Promise<WrongTally[]> {
  const { rows } = await sql<WrongTally>`
    with counted as (
      select place_uid, ${each((status) => `count(*) filter (where status = '${status}') as ${status}`)},
        count(*) filter (where refused) as refusals
      from evacuee where event_uid = ${eventUid} and active group by place_uid
    ), both_ways as (
      select place_uid, concat_ws('/', ${each((status) => `t.${status}`)}, t.refusals) as kept,
        concat_ws('/', ${each((status) => `coalesce(c.${status}, 0)`)}, coalesce(c.refusals, 0)) as counted
      from (select * from tally where event_uid = ${eventUid}) t full join counted c using (place_uid)
    )
    select * from both_ways where kept <> counted`.execute(db)
  return rows
}
