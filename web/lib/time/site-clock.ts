import { clock, formsOf } from './server-clock.ts'

const ofDevice = { ...clock }

/** From now on all times are told by the clock of this site, where an event is. Null: by the clock of the device. */
export function setSiteZone(zone: string | null) {
  try {
    Object.assign(clock, zone ? clockOf(zone) : ofDevice)
  } catch {
    // an old browser may not know a new name of a zone
    Object.assign(clock, ofDevice)
  }
}

function clockOf(timeZone: string): typeof clock {
  const forms = formsOf(timeZone)
  const named = new Intl.DateTimeFormat('en-AU', { timeZone, timeZoneName: 'short' })
  const nameAt = (at: number | Date) => {
    if (forms.time.format(at) === ofDevice.time.format(at) && forms.day.format(at) === ofDevice.day.format(at))
      return ''
    return ` ${named.formatToParts(at).find(({ type }) => type === 'timeZoneName')?.value ?? timeZone}`
  }
  return { ...forms, nameAt }
}
