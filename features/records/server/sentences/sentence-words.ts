import type { EventKind } from '#kernel/vocabulary.ts'

/** Thousands with a comma. */
export const numberOf = (n: number) => n.toLocaleString('en-AU')
/** '1 person', '2 people'. */
export const countOf = (n: number, one: string, many: string) => `${numberOf(n)} ${n === 1 ? one : many}`
export const was = (n: number) => (n === 1 ? 'was' : 'were')
export const eventWord = (kind: EventKind) => (kind === 'drill' ? 'drill' : 'live event')

interface Zone {
  timezone: string
  started_at: string
  ended_at: string
}

/** Times in the zone of the site. If its offset changed during the event, each time carries its own. */
export function timesIn({ timezone, started_at, ended_at }: Zone) {
  const zone = new Intl.DateTimeFormat('en-AU', { timeZone: timezone, timeZoneName: 'longOffset' })
  const offset = (iso: string) =>
    zone
      .formatToParts(new Date(iso))
      .find(({ type }) => type === 'timeZoneName')
      ?.value.replace('GMT', 'UTC') ?? 'UTC'
  const changes = offset(started_at) !== offset(ended_at)
  const time = new Intl.DateTimeFormat('en-AU', {
    timeZone: timezone,
    hour: '2-digit',
    minute: '2-digit',
    hourCycle: 'h23',
  })
  const date = new Intl.DateTimeFormat('en-AU', { timeZone: timezone, day: 'numeric', month: 'long', year: 'numeric' })
  return {
    timeOf: (iso: string) => time.format(new Date(iso)) + (changes ? ` (${offset(iso)})` : ''),
    dateOf: (iso: string) => date.format(new Date(iso)),
  }
}
