/** Forms of times: expensive to make, cheap to use. Throws a RangeError for an unknown zone. */
export function formsOf(timeZone?: string) {
  const form = (options: Intl.DateTimeFormatOptions) => new Intl.DateTimeFormat('en-AU', { timeZone, ...options })
  return {
    time: form({ timeStyle: 'medium', hourCycle: 'h23' }),
    day: form({ day: '2-digit', month: 'short' }),
  }
}

/** How times are told: by the clock of this device, until site-clock.ts puts that of an event's site in its place. */
export const clock = {
  ...formsOf(),
  /** ' AEDT' where this device tells another time than the site, else nothing: two clocks must not be taken for one. */
  nameAt: (_: number | Date) => '',
}

/** HH:MM:SS, 24 hours, by the clock of the event's site, else of this device. */
export const formatClock = (at: number | Date) => clock.time.format(at)

/** HH:MM. */
export const formatMinute = (at: number | Date) => formatClock(at).slice(0, 5)

/** The time, preceded by the day unless that is today: yesterday's data must not look recent. */
export function formatMoment(at: number | Date): string {
  const on = clock.day.format(at)
  const time = `${formatClock(at)}${clock.nameAt(at)}`
  return on === clock.day.format(Date.now()) ? time : `${on}, ${time}`
}
