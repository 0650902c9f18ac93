const inUtc = { timeZone: 'UTC' } as const
const short = new Intl.DateTimeFormat('en-AU', { ...inUtc, weekday: 'short', day: 'numeric', month: 'short' })
const long = new Intl.DateTimeFormat('en-AU', { ...inUtc, weekday: 'long', day: 'numeric', month: 'long' })

/** A calendar day 'YYYY-MM-DD' of a site, whatever the zone of this phone: 'Thu 26 Nov'. */
export const shortDay = (day: string) => short.format(new Date(`${day}T00:00Z`)).replace(',', '')
/** 'Thursday 26 November' */
export const longDay = (day: string) => long.format(new Date(`${day}T00:00Z`)).replace(',', '')
