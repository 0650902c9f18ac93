/** Times of events as the clocks of their site told them, alike on screens and in files. This file has no schema, because the browser imports it. */

const formsOfZone = new Map<string, ReturnType<typeof makeForms>>()
const makeForms = (timeZone: string) => {
  const form = (options: Intl.DateTimeFormatOptions) =>
    new Intl.DateTimeFormat('en-AU', { ...options, timeZone, hourCycle: 'h23' })
  return {
    minute: form({ hour: '2-digit', minute: '2-digit' }),
    second: form({ hour: '2-digit', minute: '2-digit', second: '2-digit' }),
    day: form({ day: '2-digit', month: 'short' }),
    date: form({ day: '2-digit', month: 'short', year: 'numeric' }),
    whole: form({ day: 'numeric', month: 'long', year: 'numeric' }),
    offset: form({ timeZoneName: 'longOffset' }),
    // this language writes dates as YYYY-MM-DD
    iso: new Intl.DateTimeFormat('sv-SE', { timeZone }),
  }
}

/** Expensive to make, cheap to use. Throws a RangeError for an unknown zone. */
function formsOf(timeZone: string) {
  const forms = formsOfZone.get(timeZone) ?? makeForms(timeZone)
  formsOfZone.set(timeZone, forms)
  return forms
}

/** The zone's offset at a moment: '+11:00'. */
export function offsetAt(at: string | number, timeZone: string): string {
  const parts = formsOf(timeZone).offset.formatToParts(new Date(at))
  // 'GMT+11:00', and 'GMT' alone for UTC
  return parts.find(({ type }) => type === 'timeZoneName')?.value.slice(3) || '+00:00'
}

/** '2026-11-14': the day of a moment in the zone. */
export const isoDayAt = (at: string | number, timeZone: string): string => formsOf(timeZone).iso.format(new Date(at))

/** '14 Nov': the day of a moment in the zone, without its year. */
export const dayAt = (at: string | number, timeZone: string): string => formsOf(timeZone).day.format(new Date(at))

/** '10:14', in the zone. */
export const minuteAt = (at: string | number, timeZone: string): string => formsOf(timeZone).minute.format(new Date(at))

const dayMs = 86_400_000

/**
 * The moments at which the clocks of the zone show this day ('2026-11-14') and time ('10:04'), as ISO 8601 with offset, the
 * earlier first. Two if the clocks went back over that time, none if they skipped it.
 */
export function momentsAt(day: string, time: string, timeZone: string): string[] {
  const near = Date.parse(`${day}T${time}:00Z`)
  const offsets = new Set([near - dayMs, near + dayMs].map((at) => offsetAt(at, timeZone)))
  return [...offsets]
    .filter((offset) => offsetAt(`${day}T${time}:00${offset}`, timeZone) === offset)
    .map((offset) => `${day}T${time}:00${offset}`)
    .toSorted((a, b) => Date.parse(a) - Date.parse(b))
}

interface Span {
  timezone: string
  started_at: string
  ended_at: string
}

/** The times of a record, in the zone of its site. After a clock change in the event each carries its offset. */
export interface Times {
  /** 'Times: Sydney, UTC+11:00', and after a clock change ', from 03:00 UTC+10:00'. */
  zone: string
  /** '10:04:11' on the day of the start, '14 Nov, 10:04:11' on another, with its year in another year. */
  short: (at: string) => string
  /** '05 Nov 2026, 10:04:11'. */
  moment: (at: string) => string
  /** '5 November 2026'. */
  date: (at: string) => string
}

export function timesOf({ timezone, started_at, ended_at }: Span): Times {
  const { second, day, date, whole } = formsOf(timezone)
  const [before, after] = [started_at, ended_at].map((at) => offsetAt(at, timezone))
  const time = (at: string) =>
    before === after ? second.format(new Date(at)) : `${second.format(new Date(at))} ${offsetAt(at, timezone)}`
  const firstDay = isoDayAt(started_at, timezone)
  const dayOf = (at: string) => (isoDayAt(at, timezone).slice(0, 4) === firstDay.slice(0, 4) ? day : date)
  const city = timezone.replace(/^.*\//, '').replaceAll('_', ' ')
  const change = before === after ? '' : `, from ${changeIn({ timezone, started_at, ended_at })} UTC${after}`
  return {
    zone: `Times: ${city}, UTC${before}${change}`,
    short: (at) => (isoDayAt(at, timezone) === firstDay ? time(at) : `${dayOf(at).format(new Date(at))}, ${time(at)}`),
    moment: (at) => `${date.format(new Date(at))}, ${time(at)}`,
    date: (at) => whole.format(new Date(at)),
  }
}

const minuteMs = 60_000

/** '03:00': what the clocks were about to show when they changed. They change at a whole minute. */
function changeIn({ timezone, started_at, ended_at }: Span): string {
  const before = offsetAt(started_at, timezone)
  let [last, first] = [Date.parse(started_at), Date.parse(ended_at)]
  while (first - last > minuteMs) {
    const middle = (last + first) / 2
    if (offsetAt(middle, timezone) === before) last = middle
    else first = middle
  }
  const change = Math.floor(first / minuteMs) * minuteMs
  const [hours = 0, minutes = 0] = before.split(':').map(Number)
  const offset = (hours * 60 + (before.startsWith('-') ? -minutes : minutes)) * minuteMs
  return new Date(change + offset).toISOString().slice(11, 16)
}
