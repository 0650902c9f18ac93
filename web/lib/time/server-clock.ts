const ofDevice = new Intl.DateTimeFormat().resolvedOptions().timeZone

interface Clock {
  time: Intl.DateTimeFormat
  day: Intl.DateTimeFormat
  name: Intl.DateTimeFormat
}
const clocks = new Map<string, Clock>()

/** Forms of a zone: expensive to make, cheap to use. */
function clockOf(timeZone: string): Clock {
  const known = clocks.get(timeZone)
  if (known) return known
  const made = {
    time: new Intl.DateTimeFormat('en-AU', {
      ...{ timeZone, hour: '2-digit', minute: '2-digit', second: '2-digit', hourCycle: 'h23' },
    }),
    day: new Intl.DateTimeFormat('en-AU', { timeZone, day: '2-digit', month: 'short' }),
    name: new Intl.DateTimeFormat('en-AU', { timeZone, timeZoneName: 'short' }),
  }
  clocks.set(timeZone, made)
  return made
}

let zone = ofDevice

/** From now on all times are told by the clock of this site, where an event is. Null: by the clock of the device. */
export function setSiteZone(siteZone: string | null) {
  try {
    zone = siteZone ?? ofDevice
    clockOf(zone)
  } catch {
    // an old browser may not know a new name of a zone
    zone = ofDevice
  }
}

/** HH:MM:SS, 24 hours, by the clock of the event's site, else of this device. */
export const formatClock = (at: number | Date) => clockOf(zone).time.format(at)

/** ' AEDT' where this device tells another time than the site, else nothing: two clocks must not be taken for one. */
export function zoneNameAt(at: number | Date): string {
  const { day, time } = clockOf(ofDevice)
  if (time.format(at) === formatClock(at) && day.format(at) === clockOf(zone).day.format(at)) return ''
  const name = clockOf(zone)
    .name.formatToParts(at)
    .find(({ type }) => type === 'timeZoneName')?.value
  return ` ${name ?? zone}`
}

/** The time, preceded by the day unless that is today: yesterday's data must not look recent. */
export function formatMoment(at: number | Date): string {
  const { day } = clockOf(zone)
  const on = day.format(at)
  const time = `${formatClock(at)}${zoneNameAt(at)}`
  return on === day.format(Date.now()) ? time : `${on}, ${time}`
}
