import { formatDateIn, formatSecondIn } from '#web/console/zone-time.ts'

const zoneName = new Map<string, Intl.DateTimeFormat>()

/** 'UTC+11:00': the zone's offset at this moment. */
function offsetIn(at: string, timeZone: string): string {
  const form = zoneName.get(timeZone) ?? new Intl.DateTimeFormat('en-AU', { timeZone, timeZoneName: 'longOffset' })
  zoneName.set(timeZone, form)
  const name = form.formatToParts(new Date(at)).find(({ type }) => type === 'timeZoneName')?.value ?? 'GMT'
  return name === 'GMT' ? 'UTC+00:00' : name.replace('GMT', 'UTC')
}

interface Span {
  timezone: string
  started_at: string
  ended_at: string
}

/** The times of a record, in the zone of its site. After a clock change in the event each carries its offset. */
export interface Times {
  /** 'Sydney, UTC+11:00'. */
  zone: string
  /** '10:04:11'. */
  time: (at: string) => string
  /** '05 Sept 2026, 10:04:11'. */
  moment: (at: string) => string
  /** '10:04:11' on the day of the start, else with its date. */
  short: (at: string) => string
}

export function timesOf({ timezone, started_at, ended_at }: Span): Times {
  const city = timezone.replace(/^.*\//, '').replaceAll('_', ' ')
  const offsets = [...new Set([started_at, ended_at].map((at) => offsetIn(at, timezone)))]
  const changed = offsets.length > 1
  const time = (at: string) =>
    changed
      ? `${formatSecondIn(at, timezone)} ${offsetIn(at, timezone).replace('UTC', '')}`
      : formatSecondIn(at, timezone)
  const moment = (at: string) => `${formatDateIn(at, timezone)}, ${time(at)}`
  const firstDay = formatDateIn(started_at, timezone)
  return {
    zone: `${city}, ${offsets.join(', then ')}`,
    time,
    moment,
    short: (at) => (formatDateIn(at, timezone) === firstDay ? time(at) : moment(at)),
  }
}

/** Seconds between two moments. */
export const secondsBetween = (from: string, to: string) => (Date.parse(to) - Date.parse(from)) / 1000
