/** A shift of a site, from a minute of its day to the beginning of the next one. */
export interface Shift {
  /** '07:00 to 15:00'. */
  name: string
  from: number
}

/** The shifts of '07:00;15:00;23:00'. None for a site without. */
export function shiftsOf(beginnings: string): Shift[] {
  const all = beginnings
    .split(';')
    .filter((beginning) => beginning !== '')
    .toSorted()
  return all.map((from, index) => ({ name: `${from} to ${all[(index + 1) % all.length]}`, from: minuteOf(from) }))
}

const minuteOf = (time: string) => Number(time.slice(0, 2)) * 60 + Number(time.slice(3, 5))

/** The shift of a minute of the day: the last that has begun, or the one that began the day before. */
export const shiftOf = (shifts: readonly Shift[], minute: number): Shift | undefined =>
  shifts.findLast(({ from }) => from <= minute) ?? shifts.at(-1)
