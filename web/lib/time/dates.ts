const calendarDay = new Intl.DateTimeFormat('en-AU', {
  day: '2-digit',
  month: 'short',
  year: 'numeric',
  timeZone: 'UTC',
})

/** A 'YYYY-MM-DD' calendar date as '05 Sept 2026', independent of the time zone. */
export const formatDate = (date: string) => calendarDay.format(new Date(`${date.slice(0, 10)}T00:00:00Z`))

/** 'Date_From - Date_To' for cards and assignment screens. */
export const formatDateRange = (from: string, to: string) => `${formatDate(from)} - ${formatDate(to)}`

const two = (n: number) => String(n).padStart(2, '0')

/** Whole seconds as h:mm:ss. */
export function formatDuration(seconds: number): string {
  const whole = Math.max(0, Math.floor(seconds))
  return `${Math.floor(whole / 3600)}:${two(Math.floor(whole / 60) % 60)}:${two(whole % 60)}`
}

/** Remaining milliseconds as m:ss, rounded up so that 0:00 means over. */
export function formatCountdown(ms: number): string {
  const seconds = Math.max(0, Math.ceil(ms / 1000))
  return `${Math.floor(seconds / 60)}:${two(seconds % 60)}`
}
