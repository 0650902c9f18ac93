/** Times as a fire officer reads them: by the clock of the site. */
export function timesIn(timeZone: string, now: Date) {
  const date = new Intl.DateTimeFormat('en-AU', {
    timeZone,
    weekday: 'short',
    day: 'numeric',
    month: 'short',
    year: 'numeric',
  })
  const clock = new Intl.DateTimeFormat('en-AU', {
    timeZone,
    hour: '2-digit',
    minute: '2-digit',
    second: '2-digit',
    hourCycle: 'h23',
  })
  const minute = new Intl.DateTimeFormat('en-AU', { timeZone, hour: '2-digit', minute: '2-digit', hourCycle: 'h23' })
  const zone = new Intl.DateTimeFormat('en-AU', { timeZone, timeZoneName: 'short' })
  const today = date.format(now)
  return {
    /** 'Wed, 25 Nov 2026, 11:14:48' */
    moment: (at: Date) => `${date.format(at)}, ${clock.format(at)}`,
    /** '11:14', with its day if that is not today. */
    minute: (at: Date) => (date.format(at) === today ? minute.format(at) : `${date.format(at)}, ${minute.format(at)}`),
    zone: zone.formatToParts(now).find(({ type }) => type === 'timeZoneName')?.value ?? timeZone,
  }
}

export type Times = ReturnType<typeof timesIn>
