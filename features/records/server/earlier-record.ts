import type { EventUid } from '#kernel/ids.ts'
import type { EventRecord } from '../calls/record.ts'

/** What a record has before it is compared and put into sentences. */
type Figures = Omit<EventRecord, 'compared' | 'sentences'>

/** An earlier record, as it stands. */
export interface Compared {
  eventUid: EventUid
  record: EventRecord
}

/**
 * The latest earlier record of the same kind and site that shares half of the buildings, of the larger one of both.
 * Its clear time is compared by the floors that both had. Null: there is none.
 */
export function comparedTo(now: Figures, earlier: readonly Compared[]): EventRecord['compared'] {
  const own = new Set(now.buildings.map(({ id }) => id))
  const found = earlier.find(({ record: { buildings } }) => {
    const shared = buildings.filter(({ id }) => own.has(id)).length
    return shared * 2 >= Math.max(own.size, buildings.length)
  })
  if (!found) return null
  const { record } = found
  const floors = new Set(now.floors.rows.map(({ id }) => id))
  const common = record.floors.rows.filter(({ id }) => floors.has(id))
  const written = record.texts.purposes.reduce((sum, purpose) => sum + purpose.written, 0)
  const delivered = record.texts.purposes.reduce((sum, purpose) => sum + purpose.delivered, 0)
  return {
    event: found.eventUid,
    number: record.number,
    started_at: record.started_at,
    last_clear: common.some(({ clear }) => clear === null)
      ? null
      : Math.max(0, ...common.map(({ clear }) => clear ?? 0)) || null,
    common_floors: common.length,
    covered: mostCovered(record),
    floors: record.floors.total,
    half_answered: record.wardens.answered.half,
    delivered: written === 0 ? null : delivered / written,
    unaccounted: record.people.end.unknown + record.people.end.danger,
  }
}

/** Floors with a warden on duty, at best. */
export const mostCovered = ({ wardens }: Pick<EventRecord, 'wardens'>) =>
  Math.max(0, ...wardens.coverage.map(([, covered]) => covered))
