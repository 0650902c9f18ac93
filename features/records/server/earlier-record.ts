import type { BuildingUid, EventUid } from '#kernel/ids.ts'
import type { EventRecord } from '../calls/record.ts'
import { countedFrom, textsBy } from '../figures.ts'

/** What a record has before it is compared and put into sentences. */
type Figures = Omit<EventRecord, 'compared' | 'sentences'>

/** An earlier record, as it stands. */
export interface Compared {
  eventUid: EventUid
  record: EventRecord
}

/**
 * The latest earlier record of the same kind and site that shares half of the buildings, of the larger one of both.
 * Both are compared over the buildings that they share. Null: there is none.
 */
export function comparedTo(now: Figures, earlier: readonly Compared[]): EventRecord['compared'] {
  const own = new Set(now.buildings.map(({ id }) => id))
  const found = earlier.find(({ record: { buildings } }) => {
    const shared = buildings.filter(({ id }) => own.has(id)).length
    return shared * 2 >= Math.max(own.size, buildings.length)
  })
  if (!found) return null
  const { record } = found
  const shared = new Set(record.buildings.flatMap(({ id }) => (own.has(id) ? [id] : [])))
  const isSame = shared.size === own.size && shared.size === record.buildings.length
  const floors = new Set(now.floors.rows.map(({ id }) => id))
  const common = new Set(record.floors.rows.flatMap(({ id }) => (floors.has(id) ? [id] : [])))
  const figuresOf = (one: Figures) => ({
    last_clear: lastClearAmong(one, common),
    unaccounted: isSame ? one.people.end.unknown + one.people.end.danger : unaccountedIn(one, shared),
  })
  const { written, delivered } = textsBy(record.texts.purposes)
  const { half } = record.wardens.answered
  return {
    event: found.eventUid,
    number: record.number,
    started_at: record.started_at,
    ...figuresOf(record),
    common_floors: common.size,
    covered: mostCovered(record),
    floors: record.floors.total,
    half_answered: isSame && half !== null ? countedFrom(record, half) : null,
    delivered: isSame && written > 0 ? delivered / written : null,
    same_buildings: isSame,
    own: figuresOf(now),
  }
}

/** Seconds until the last of these floors was clear. Null: not all of them were, or there are none. */
function lastClearAmong(record: Figures, floors: ReadonlySet<string>): number | null {
  const rows = record.floors.rows.filter(({ id }) => floors.has(id))
  if (rows.length === 0 || rows.some(({ clear }) => clear === null)) return null
  return countedFrom(record, Math.max(...rows.map(({ clear }) => clear ?? 0)))
}

/** People of these buildings who were not accounted for. Version 1 told them by floor only. */
function unaccountedIn({ buildings, floors }: Figures, shared: ReadonlySet<BuildingUid>): number {
  const places = buildings.some(({ people }) => people)
    ? buildings.filter(({ id }) => shared.has(id)).flatMap(({ people }) => people ?? [])
    : floors.rows.filter(({ building }) => shared.has(building)).map(({ people }) => people)
  return places.reduce((sum, { unknown, danger }) => sum + unknown + danger, 0)
}

/** Floors with a warden on duty, at best. */
export const mostCovered = ({ wardens }: Pick<EventRecord, 'wardens'>) =>
  Math.max(0, ...wardens.coverage.map(([, covered]) => covered))
