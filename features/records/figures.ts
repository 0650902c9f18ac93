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

/** Seconds until the last floor was clear. Null: not all floors were, or there were none. */
export const lastClearOf = ({ floors }: Pick<EventRecord, 'floors'>): number | null =>
  floors.clear === floors.total ? (floors.rows.findLast(({ clear }) => clear !== null)?.clear ?? null) : null
