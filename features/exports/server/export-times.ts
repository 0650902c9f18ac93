const quarterHour = 15 * 60_000

/** ISO 8601 with the offset that the site had at that moment, to the second: '2026-11-23T10:04:11+11:00'. */
export function offsetTimes(timeZone: string): (moment: unknown) => string | null {
  const format = new Intl.DateTimeFormat('en', { timeZone, timeZoneName: 'longOffset' })
  /** 'GMT+11:00'; UTC itself is 'GMT'. */
  const readOffset = (at: number) =>
    format
      .formatToParts(at)
      .find(({ type }) => type === 'timeZoneName')
      ?.value.replace('GMT', '') || '+00:00'
  // clocks change on a quarter of an hour, and a large file has millions of times
  let known = { quarter: Number.NaN, offset: '' }
  return (moment) => {
    if (typeof moment !== 'string') return null
    const at = Date.parse(moment)
    const quarter = Math.floor(at / quarterHour)
    if (quarter !== known.quarter) known = { quarter, offset: readOffset(at) }
    const { offset } = known
    const minutes = Number(offset.slice(1, 3)) * 60 + Number(offset.slice(4, 6))
    const local = new Date(at + (offset.startsWith('-') ? -minutes : minutes) * 60_000)
    return `${local.toISOString().slice(0, 19)}${offset}`
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
