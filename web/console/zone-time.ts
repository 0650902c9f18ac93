/** A form of a moment, per zone: expensive to make, cheap to use. */
function inZones(options: Intl.DateTimeFormatOptions) {
  const made = new Map<string, Intl.DateTimeFormat>()
  return (at: string | number | Date, timeZone: string): string => {
    const known = made.get(timeZone) ?? new Intl.DateTimeFormat('en-AU', { ...options, hourCycle: 'h23', timeZone })
    made.set(timeZone, known)
    return known.format(new Date(at))
  }
}

const short = { hour: '2-digit', minute: '2-digit' } as const

/** '10:42 AEDT', in the zone of the organisation. */
export const formatTimeIn = inZones({ ...short, timeZoneName: 'short' })
/** '10:42'. */
export const formatMinuteIn = inZones(short)
/** '10:42:07'. */
export const formatSecondIn = inZones({ ...short, second: '2-digit' })
/** '05 Sept 2026'. */
export const formatDateIn = inZones({ day: '2-digit', month: 'short', year: 'numeric' })

/** Today in the zone, '2026-09-05'; without one, today on this device. */
export const dayIn = (timeZone: string | undefined): string =>
  // the Canadian locale writes dates as YYYY-MM-DD
  new Intl.DateTimeFormat('en-CA', { timeZone }).format(new Date())

/** '05 Sept 2026, 10:42 AEDT'. */
export const formatMomentIn = (at: string | number | Date, timeZone: string): string =>
  `${formatDateIn(at, timeZone)}, ${formatTimeIn(at, timeZone)}`
