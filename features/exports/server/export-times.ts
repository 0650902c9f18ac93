/** ISO 8601 with the offset that the site had at that moment, to the second: '2026-11-23T10:04:11+11:00'. */
export function offsetTimes(timeZone: string): (moment: unknown) => string | null {
  const format = new Intl.DateTimeFormat('sv-SE', {
    timeZone,
    year: 'numeric',
    month: '2-digit',
    day: '2-digit',
    hour: '2-digit',
    minute: '2-digit',
    second: '2-digit',
    hour12: false,
    timeZoneName: 'longOffset',
  })
  return (moment) => {
    if (typeof moment !== 'string') return null
    const parts = Object.fromEntries(format.formatToParts(new Date(moment)).map(({ type, value }) => [type, value]))
    // 'GMT+11:00', with a minus that is none in some languages; UTC itself is 'GMT'
    const offset = parts.timeZoneName?.replace('GMT', '').replace('−', '-') || '+00:00'
    return `${parts.year}-${parts.month}-${parts.day}T${parts.hour}:${parts.minute}:${parts.second}${offset}`
  }
}

const calendarDay = new Intl.DateTimeFormat('en-AU', {
  day: '2-digit',
  month: 'short',
  year: 'numeric',
  timeZone: 'UTC',
})

/** A day without a time, '2026-12-05', as '05 Dec 2026'. */
export const formatDay = (day: string): string => calendarDay.format(new Date(`${day}T00:00:00Z`))
