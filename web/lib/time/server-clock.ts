const clock = new Intl.DateTimeFormat('en-AU', {
  hour: '2-digit',
  minute: '2-digit',
  second: '2-digit',
  hourCycle: 'h23',
})
const day = new Intl.DateTimeFormat('en-AU', { day: '2-digit', month: 'short' })

/** HH:MM:SS by this phone's clock, 24 hours. */
export const formatClock = (at: number | Date) => clock.format(at)

/** The time, preceded by the day unless that is today: yesterday's data must not look recent. */
export function formatMoment(at: number | Date): string {
  const on = day.format(at)
  return on === day.format(Date.now()) ? formatClock(at) : `${on}, ${formatClock(at)}`
}
