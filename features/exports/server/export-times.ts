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

interface Zone {
  timezone: string
  started_at: string
  ended_at: string
}

/** For people: to the second, in the zone of the site, which is named. After a clock change each time has its offset. */
export function momentsIn({ timezone, started_at, ended_at }: Zone) {
  const date = new Intl.DateTimeFormat('en-AU', { timeZone: timezone, day: 'numeric', month: 'long', year: 'numeric' })
  const iso = offsetTimes(timezone)
  const offset = (moment: string) => iso(moment)?.slice(19) ?? ''
  const changes = offset(started_at) !== offset(ended_at)
  const city = timezone.split('/').at(-1)?.replaceAll('_', ' ')
  return {
    date: (moment: string) => date.format(new Date(moment)),
    clock: (moment: string) => `${iso(moment)?.slice(11, 19)}${changes ? ` (UTC${offset(moment)})` : ''}`,
    zone: `Times: ${city}, UTC${offset(started_at)}`,
  }
}
