import type { EventRecord } from './calls/record.ts'

/** Figures of a record in words and numbers, alike in sentences and on screens. This file has no schema, because the browser imports it. */

/** Seconds that have passed as m:ss, from one hour h:mm:ss. */
export function durationOf(seconds: number): string {
  const whole = Math.max(0, Math.floor(seconds))
  const [hours, minutes] = [Math.floor(whole / 3600), Math.floor(whole / 60) % 60]
  const two = (n: number) => `${n}`.padStart(2, '0')
  return hours > 0 ? `${hours}:${two(minutes)}:${two(whole % 60)}` : `${minutes}:${two(whole % 60)}`
}

/** Stands where a text stood, with the day at the site. */
export const textDeletedOn = (at: string | Date, timeZone: string): string =>
  `text deleted on ${new Intl.DateTimeFormat('en-AU', { day: '2-digit', month: 'short', year: 'numeric', timeZone }).format(new Date(at))}`

/** The message with which the event began, or when it was deleted. Empty: none was written. */
export function messageOf({
  message,
  decisions,
  timezone,
}: Pick<EventRecord, 'message' | 'decisions' | 'timezone'>): string {
  const deletedAt = decisions.find(({ action }) => action === 'event_started')?.deleted_at
  return deletedAt === undefined ? message : textDeletedOn(deletedAt, timezone)
}

/** As screens and files show it: its durations from where it counts. Times of replay and curve still run from the start. */
export function asCounted(record: EventRecord): EventRecord {
  const from = (seconds: number) => countedFrom(record, seconds)
  const maybe = <T extends number | null | undefined>(seconds: T) =>
    (typeof seconds === 'number' ? from(seconds) : seconds) as T
  if (!record.counts_from) return record
  const { buildings, people, floors, wardens, plans, contact } = record
  const clears = <T extends { first_clear: number | null; clear: number | null }>(place: T): T => ({
    ...place,
    first_clear: maybe(place.first_clear),
    clear: maybe(place.clear),
  })
  const spans = <T extends { from: number; to: number | null }>(all: readonly T[]) =>
    all.map((one) => ({ ...one, from: from(one.from), to: maybe(one.to) }))
  return {
    ...record,
    buildings: buildings.map(clears),
    people: {
      ...people,
      everyone_after: maybe(people.everyone_after),
      ...(people.left && { left: people.left.map((one) => ({ ...one, after: from(one.after) })) }),
    },
    floors: {
      ...floors,
      rows: floors.rows.map((row) => ({
        ...clears(row),
        clear_recorded: maybe(row.clear_recorded),
        first_covered: maybe(row.first_covered),
        last_covered: maybe(row.last_covered),
      })),
    },
    wardens: {
      ...wardens,
      answered: {
        half: maybe(wardens.answered.half),
        most: maybe(wardens.answered.most),
        nearly_all: maybe(wardens.answered.nearly_all),
      },
      coverage: wardens.coverage.map(([at, covered]) => [from(at), covered]),
      ...(wardens.answered_steps && { answered_steps: wardens.answered_steps.map(([at, all]) => [from(at), all]) }),
      ...(wardens.taken && { taken: spans(wardens.taken) }),
    },
    plans: {
      ...plans,
      last_safe: maybe(plans.last_safe),
      ...(plans.floors && { floors: plans.floors.map((one) => ({ ...one, last_safe: maybe(one.last_safe) })) }),
      ...(plans.people && { people: plans.people.map((one) => ({ ...one, safe_after: maybe(one.safe_after) })) }),
    },
    ...(contact && { contact: { ...contact, gaps: spans(contact.gaps), service: spans(contact.service) } }),
    counts_from: 0,
  }
}

/** Seconds since the start as seconds from where the record counts. */
export const countedFrom = ({ counts_from: from = 0 }: Pick<EventRecord, 'counts_from'>, seconds: number): number =>
  Math.max(0, seconds - from)

/** Seconds until the last floor was clear, from where the record counts. Null: not all floors were, or there were none. */
export function lastClearOf({ floors, ...record }: Pick<EventRecord, 'floors' | 'counts_from'>): number | null {
  const last =
    floors.clear === floors.total ? (floors.rows.findLast(({ clear }) => clear !== null)?.clear ?? null) : null
  return last === null ? null : countedFrom(record, last)
}

/** What became of texts: four numbers that add up to what was written. */
export function textsBy(purposes: EventRecord['texts']['purposes']) {
  const sum = (of: (purpose: (typeof purposes)[number]) => number) => purposes.reduce((all, one) => all + of(one), 0)
  const written = sum((one) => one.written)
  const delivered = sum((one) => one.delivered)
  const failed = sum((one) => one.failed + one.expired)
  const withoutReceipt = sum((one) => one.unconfirmed)
  return { written, delivered, failed, withoutReceipt, notSent: written - delivered - failed - withoutReceipt }
}

/** Three labels of an axis of counts that ends at `most` or one above: whole numbers. */
export function ticksOf(most: number): [number, number, number] {
  const top = Math.max(2, most + (most % 2))
  return [0, top / 2, top]
}

/** Three labels of an axis of so many seconds, at least two: they differ. */
export const timeTicksOf = (seconds: number): [string, string, string] => {
  const end = Math.max(2, seconds)
  return [durationOf(0), durationOf(end / 2), durationOf(end)]
}

/** Seconds that the part of the record took which counts: of a drill that became live, from then on. */
export const secondsCounted = ({
  version,
  live_from,
  ended_at,
  seconds,
}: Pick<EventRecord, 'version' | 'live_from' | 'ended_at' | 'seconds'>): number =>
  version === 2 && live_from ? (Date.parse(ended_at) - Date.parse(live_from)) / 1000 : seconds

/** Where the times of figures begin, for the name of an axis. */
export const sinceWhat = ({ version, live_from }: Pick<EventRecord, 'version' | 'live_from'>): string =>
  version === 2 && live_from ? 'Time since it became live' : 'Time since the start'

/** '+4:12' from where the record counts, 'drill 3:10' before it became live, and nothing after the end. */
export function sinceWords(
  { live_from, started_at, ended_at }: Pick<EventRecord, 'live_from' | 'started_at' | 'ended_at'>,
  at: string,
): string {
  const seconds = (from: string) => (Date.parse(at) - Date.parse(from)) / 1000
  if (seconds(ended_at) > 0) return ''
  if (live_from && seconds(live_from) < 0) return `drill ${durationOf(seconds(started_at))}`
  return `+${durationOf(seconds(live_from ?? started_at))}`
}
