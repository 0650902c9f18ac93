/** A form of a moment, per zone: expensive to make, cheap to use. */
function inZones(options: Intl.DateTimeFormatOptions) {
  const made = new Map<string, Intl.DateTimeFormat>()
  return (at: string | number | Date, timeZone: string): string => {
    const known = made.get(timeZone) ?? new Intl.DateTimeFormat('en-AU', { ...options, hourCycle: 'h23', timeZone })
    made.set(timeZone, known)
    return known.format(new Date(at))
  }
}

const clock = inZones({ hour: '2-digit', minute: '2-digit', second: '2-digit' })
const zoneName = new Map<string, Intl.DateTimeFormat>()

/** '05 Sept 2026' in this zone. */
export const dateIn = inZones({ day: '2-digit', month: 'short', year: 'numeric' })
/** '10:42' in this zone. */
export const minuteIn = inZones({ hour: '2-digit', minute: '2-digit' })

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
    changed ? `${clock(at, timezone)} ${offsetIn(at, timezone).replace('UTC', '')}` : clock(at, timezone)
  const moment = (at: string) => `${dateIn(at, timezone)}, ${time(at)}`
  const firstDay = dateIn(started_at, timezone)
  return {
    zone: `${city}, ${offsets.join(', then ')}`,
    time,
    moment,
    short: (at) => (dateIn(at, timezone) === firstDay ? time(at) : moment(at)),
  }
}

/** Seconds between two moments. */
export const secondsBetween = (from: string, to: string) => (Date.parse(to) - Date.parse(from)) / 1000
