import type { StatusCounts } from '#kernel/vocabulary.ts'
import type { EventRecord } from '../../calls/record.ts'
import type { RecordWords } from '../../doing.ts'

/** What sentences are made from. */
export type Told = Omit<EventRecord, 'sentences'>

/** Thousands with a comma. */
export const numberOf = (n: number) => n.toLocaleString('en-AU')
/** '1 person', '2 people'. */
export const countOf = (n: number, one: string, many: string) => `${numberOf(n)} ${n === 1 ? one : many}`
export const was = (n: number) => (n === 1 ? 'was' : 'were')
export const named = ({ name, role }: { name: string; role: string }) => (role ? `${name} (${role})` : name)

/** Five of them, then ' and 2 more'. */
export function placesInWords(places: readonly string[], all = places.length): string {
  const shown = places.slice(0, 5)
  return shown.join(', ') + (all > shown.length ? ` and ${numberOf(all - shown.length)} more` : '')
}

/** '1 was safe, 2 unknown and 0 in danger'. */
export const statesInWords = (
  { safe, unknown, danger }: StatusCounts,
  words: RecordWords,
  verb = `${was(safe)} `,
): string =>
  `${numberOf(safe)} ${verb}${words.safe}, ${numberOf(unknown)} unknown and ${numberOf(danger)} ${words.inDanger}`

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
  const hours = { timeZone: timezone, hour: '2-digit', minute: '2-digit', hourCycle: 'h23' } as const
  const time = new Intl.DateTimeFormat('en-AU', hours)
  const second = new Intl.DateTimeFormat('en-AU', { ...hours, second: '2-digit' })
  const date = new Intl.DateTimeFormat('en-AU', { timeZone: timezone, day: 'numeric', month: 'long', year: 'numeric' })
  return {
    timeOf: (iso: string) => time.format(new Date(iso)) + (changes ? ` (${offset(iso)})` : ''),
    /** HH:MM:SS, so many seconds after the start. */
    secondOf: (seconds: number) => {
      const iso = new Date(Date.parse(started_at) + seconds * 1000).toISOString()
      return second.format(new Date(iso)) + (changes ? ` (${offset(iso)})` : '')
    },
    dateOf: (iso: string) => date.format(new Date(iso)),
  }
}
