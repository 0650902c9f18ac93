import type { BuildingShown, FloorShown } from './floors.ts'

/** What `?` lists. */
export const keyList = [
  ['↑ ↓', 'One floor'],
  ['← →', 'One building, the same level'],
  ['Page Up, Page Down', 'Ten floors'],
  ['Ctrl + ← →', 'Five buildings'],
  ['Home, End', 'First and last building'],
  ['Ctrl + Home, End', 'Top and bottom floor'],
  ['Enter', 'Open the floor'],
  ['Esc', 'Back to the matrix'],
  ['G', 'The next thing that needs you'],
  ['?', 'These keys'],
] as const

interface Press {
  key: string
  ctrlKey: boolean
}

const across: Readonly<Record<string, number>> = { ArrowLeft: -1, ArrowRight: 1 }
const along: Readonly<Record<string, number>> = { ArrowUp: -1, ArrowDown: 1, PageUp: -10, PageDown: 10 }

/** The floor that a key leads to from this one, or undefined for a key that moves nothing. */
export function floorAfter(press: Press, from: number, buildings: readonly BuildingShown[]): number | undefined {
  const withFloors = buildings.filter(({ floors }) => floors.length > 0)
  const column = withFloors.findIndex(({ floors }) => floors.some(({ nth }) => nth === from))
  const floors = withFloors[column]?.floors
  if (!floors) return withFloors[0]?.floors[0]?.nth
  const at = floors.findIndex(({ nth }) => nth === from)
  const to = (line: number) => floors[clamp(line, floors.length)]?.nth
  const beside = (next: number) => sameLevel(floors[at], withFloors[clamp(next, withFloors.length)]?.floors ?? [])
  const { key, ctrlKey } = press
  if (along[key] !== undefined) return to(at + along[key])
  if (across[key] !== undefined) return beside(column + across[key] * (ctrlKey ? 5 : 1))
  if (key === 'Home') return ctrlKey ? to(0) : beside(0)
  if (key === 'End') return ctrlKey ? to(floors.length - 1) : beside(withFloors.length - 1)
  return undefined
}

const clamp = (at: number, count: number) => Math.min(count - 1, Math.max(0, at))

/** The floor of that building at the same level, else at the nearest. */
function sameLevel(from: FloorShown | undefined, floors: readonly FloorShown[]): number | undefined {
  const level = from?.place.level ?? null
  if (level === null) return floors.at(-1)?.nth
  const far = ({ place }: FloorShown) =>
    place.level === null ? Number.POSITIVE_INFINITY : Math.abs(place.level - level)
  return floors.reduce((best, one) => (far(one) < far(best) ? one : best), floors[0] as FloorShown)?.nth
}
