import type { BuildingUid } from '#kernel/ids.ts'
import type { RecordFloor } from '../../calls/record.ts'
import { type Coverage, coveredIn } from './coverage.ts'
import type { FloorRow } from './facts.queries.ts'
import type { FloorTold, Part } from './part.ts'
import { type Ended, totalsOf } from './people-figures.ts'
import type { Span } from './spans.ts'

interface Sources {
  part: Part
  /** Those whose building was in the event in the part. */
  floors: readonly FloorRow[]
  ended: readonly Ended[]
  coverage: Coverage
  span: Span
  /** The name of the status at the end of the floor. */
  statusOf: (floor: string) => string
}

/** The floors of the part, those that were clear at the end first, in the order of their times. */
export function floorRows({ part, floors, ended, coverage, span, statusOf }: Sources): RecordFloor[] {
  const by = Map.groupBy(ended, ({ place }) => place)
  const rows = floors.map((floor) => {
    const told = part.floors.get(floor.floor)
    const people = by.get(floor.floor) ?? []
    const cover = coverage.covers.get(floor.floor)
    const covered = cover ? coveredIn(cover, span) : { first: null, last: null, wardens: 0 }
    return {
      id: floor.floor,
      name: floor.name,
      building: floor.building,
      building_name: floor.buildingName,
      first_clear: told?.firstClear ?? null,
      clear: told?.clear ?? null,
      clear_recorded: told?.clearRecorded ?? null,
      reopened: told?.reopened ?? 0,
      order: null,
      status: statusOf(floor.floor),
      people: totalsOf(people),
      refusals: people.filter((one) => one.told?.refused).length,
      wardens: covered.wardens,
      first_covered: covered.first,
      last_covered: covered.last,
      unseen_when_clear: told?.unseen ?? 0,
    }
  })
  const clear = rows.filter((row) => row.clear !== null).toSorted((a, b) => (a.clear ?? 0) - (b.clear ?? 0))
  return [...clear.map((row, nth) => ({ ...row, order: nth + 1 })), ...rows.filter((row) => row.clear === null)]
}

/** Nothing shows that anyone was there: no warden, no status, no person. */
export const isNeverCovered = ({ id, first_covered }: RecordFloor, touched: ReadonlySet<string>): boolean =>
  first_covered === null && !touched.has(id)

/** A building is clear with its last floor. Null unless all of them are. */
export function clearOfBuilding(building: BuildingUid, rows: readonly RecordFloor[]) {
  const own = rows.filter((row) => row.building === building)
  const last = (of: (row: RecordFloor) => number | null) => {
    const times = own.map(of)
    return times.length > 0 && times.every((time) => time !== null) ? Math.max(...times) : null
  }
  return { first_clear: last((row) => row.first_clear), clear: last((row) => row.clear) }
}

export const countReported = (floors: Iterable<FloorTold>): number =>
  [...floors].filter(({ firstClear }) => firstClear !== null).length

/** 'Tower A - Level 4'. */
export const placeName = ({ building_name, name }: Pick<RecordFloor, 'building_name' | 'name'>) =>
  `${building_name} - ${name}`
