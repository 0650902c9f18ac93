import type { FloorUid } from '#kernel/ids.ts'
import type { Floors, Places } from './instructions.data.ts'

/** The floors that are chosen, of any building. */
export type Chosen = ReadonlySet<FloorUid>

type Building = Places[number]

/** A wave around a floor: so many floors down and up of it, itself included or not. */
export const waves = [
  { name: 'This floor ±1', has: (distance: number) => Math.abs(distance) <= 1 },
  { name: '±2', has: (distance: number) => Math.abs(distance) <= 2 },
  { name: 'Above', has: (distance: number) => distance > 0 },
  { name: 'Below', has: (distance: number) => distance < 0 },
  { name: 'Whole building', has: () => true },
] as const
export type Wave = (typeof waves)[number]

/** The floors of the wave in place of what was chosen in that building. Other buildings keep theirs. */
export function chooseWave(chosen: Chosen, { floors }: Building, from: FloorUid, wave: Wave): Chosen {
  const own = floors.map(({ id }) => id)
  const at = own.indexOf(from)
  const next = new Set([...chosen].filter((floor) => !own.includes(floor)))
  for (const [index, floor] of own.entries()) if (wave.has(index - at)) next.add(floor)
  return next
}

/** The floors of the wave are exactly those of the building that are chosen. */
export const isWave = (chosen: Chosen, { floors }: Building, from: FloorUid, wave: Wave) => {
  const at = floors.findIndex(({ id }) => id === from)
  return floors.every(({ id }, index) => chosen.has(id) === wave.has(index - at))
}

export function toggle(chosen: Chosen, floor: FloorUid): Chosen {
  const next = new Set(chosen)
  if (!next.delete(floor)) next.add(floor)
  return next
}

/** What is sent: every floor of the event is 'all', also floors that join it later. */
export function floorsOf(chosen: Chosen, places: Places): Floors {
  const all = places.flatMap(({ floors }) => floors.map(({ id }) => id))
  return all.length > 0 && all.every((floor) => chosen.has(floor)) ? 'all' : all.filter((floor) => chosen.has(floor))
}

const mostNamed = 6

/** The floors in words: 'All floors', 'Tower A, all 7 floors', 'Tower A, Level 3 and Level 4', 'Tower A, 12 floors' */
export function whereOf(floors: Floors, places: Places): string {
  if (floors === 'all') return 'All floors'
  const chosen = new Set(floors)
  const parts = places.flatMap(({ name, floors: all }) => {
    const own = all.filter(({ id }) => chosen.has(id))
    if (own.length === 0) return []
    if (own.length === all.length && all.length > 1) return [`${name}, all ${all.length} floors`]
    if (own.length > mostNamed) return [`${name}, ${own.length} floors`]
    return [`${name}, ${inWords(own.map((floor) => floor.name))}`]
  })
  return parts.join('. ') || 'Floors that have left the event'
}

const inWords = (names: readonly string[]) =>
  names.length < 2 ? (names[0] ?? '') : `${names.slice(0, -1).join(', ')} and ${names.at(-1)}`
