/** The calendar day in a time zone. Caches one formatter per zone, because they are expensive to create. */
export function todayIn(timeZone: string, now: Date): string {
  let formatter = formatters.get(timeZone)
  if (!formatter) {
    // the Canadian locale writes dates as YYYY-MM-DD
    formatter = new Intl.DateTimeFormat('en-CA', { timeZone })
    formatters.set(timeZone, formatter)
  }
  return formatter.format(now)
}
const formatters = new Map<string, Intl.DateTimeFormat>()

/** Reads `YYYY-MM-DD` from 1900 to 2199, `today`, `today+30` or `today-10`. Undefined for anything else. */
export function readDate(text: string, today: string): string | undefined {
  const relative = /^today(?:([+-]\d{1,4}))?$/i.exec(text.replaceAll(' ', ''))
  if (relative) return addDays(today, Number(relative[1] ?? 0))
  if (!/^(19|20|21)\d\d-\d\d-\d\d$/.test(text)) return undefined
  const date = new Date(`${text}T00:00:00Z`)
  // 30 February rolls over into March
  return !Number.isNaN(date.getTime()) && date.toISOString().startsWith(text) ? text : undefined
}

function addDays(day: string, days: number): string {
  const date = new Date(`${day}T00:00:00Z`)
  date.setUTCDate(date.getUTCDate() + days)
  return date.toISOString().slice(0, 10)
}
