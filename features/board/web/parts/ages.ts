const minutesOf = (seconds: number) => Math.floor(Math.max(0, seconds) / 60)

/** '<1m', 'nm' to 99, then 'nh'. */
export function shortAge(seconds: number): string {
  const minutes = minutesOf(seconds)
  if (minutes === 0) return '<1m'
  return minutes <= 99 ? `${minutes}m` : `${Math.floor(minutes / 60)}h`
}

/** The same in words of a list: '<1 min', '9 min', '2 h'. */
export function age(seconds: number): string {
  const minutes = minutesOf(seconds)
  if (minutes === 0) return '<1 min'
  return minutes <= 99 ? `${minutes} min` : `${Math.floor(minutes / 60)} h`
}

/** The share of a count, never '0%' of someone nor '100%' without someone. */
export function percent(count: number, total: number): string {
  if (count === 0 || total === 0) return '0%'
  if (count === total) return '100%'
  return `${Math.min(99, Math.max(1, Math.round((count / total) * 100)))}%`
}

/** '1 floor', '4 floors'. */
export const counted = (count: number, one: string, many = `${one}s`) => `${count} ${count === 1 ? one : many}`
