import { readersOfMany } from '#features/peeps/server/access/peep-readers.service.ts'
import type { Tx } from '#server/platform/db/db.ts'
import type { EventRecord } from '../../calls/record.ts'
import type { Of } from '../figures.queries.ts'
import { listPlanned, type PlannedRow } from './peeps-opened.queries.ts'

/** A record lists so many people with a plan. All of them count. */
const mostPeople = 1000

/** People with a plan, by state and floor, and each of them without a name. */
export async function plansOf(tx: Tx, of: Of): Promise<EventRecord['plans']> {
  const people = await listPlanned(tx, of)
  const opened = await readersOfMany(tx, of)
  return {
    end: countsOf(people),
    last_safe: lastSafeOf(people),
    floors: [...Map.groupBy(people, ({ floorUid, buildingUid }) => floorUid ?? buildingUid).values()].map((there) => {
      const [one] = there as [PlannedRow]
      return { ...placeOf(one), people: countsOf(there), last_safe: lastSafeOf(there) }
    }),
    people: people.slice(0, mostPeople).map((one) => ({
      ...placeOf(one),
      status: one.status,
      safe_after: one.safeAfter,
    })),
    ...(opened.length > 0 && { opened }),
  }
}

const placeOf = ({ floorUid, floorName, buildingUid, buildingName }: PlannedRow) => ({
  floor: floorUid,
  building: buildingUid,
  place: floorName === null ? buildingName : `${buildingName} - ${floorName}`,
})

function countsOf(people: readonly PlannedRow[]) {
  const count = (status: PlannedRow['status']) => people.filter((one) => one.status === status).length
  return { safe: count('safe'), unknown: count('unknown'), danger: count('danger'), total: people.length }
}

function lastSafeOf(people: readonly PlannedRow[]): number | null {
  const times = people.flatMap(({ safeAfter }) => safeAfter ?? [])
  return times.length === 0 ? null : Math.max(...times)
}
