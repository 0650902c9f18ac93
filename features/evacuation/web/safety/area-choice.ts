import type { FloorUid } from '#kernel/ids.ts'
import type { FilterSet, SafetyBuilding } from '../../calls/safety.ts'

export type AreaChoice = Pick<FilterSet, 'area' | 'floors'>
export const myArea: AreaChoice = { area: 'my area', floors: ['all'] }
export const everyone: AreaChoice = { area: 'everyone', floors: ['all'] }

/** What the boxes are drawn from: every floor of the event at the site, and the warden's own. */
export interface Site {
  buildings: readonly SafetyBuilding[]
  own: ReadonlySet<FloorUid>
}
const floorsIn = (buildings: readonly SafetyBuilding[]) => buildings.flatMap(({ floors }) => floors.map(({ id }) => id))

/** Floors whose boxes are ticked. */
export function tickedFloors({ area, floors }: AreaChoice, { buildings, own }: Site): ReadonlySet<FloorUid> {
  if (area === 'my area') return own
  if (area === 'everyone') return new Set(floorsIn(buildings))
  return new Set(floors.filter((floor): floor is FloorUid => floor !== 'all'))
}

/**
 * In My Area the given floors are chosen alone, ticked or not; elsewhere they join or leave. Every
 * floor is 'all', none is My Area again.
 */
export function chooseFloors(choice: AreaChoice, site: Site, floors: readonly FloorUid[], wanted: boolean): AreaChoice {
  const isFirst = choice.area === 'my area'
  const ticked = new Set(isFirst ? floors : tickedFloors(choice, site))
  for (const floor of floors) {
    if (wanted || isFirst) ticked.add(floor)
    else ticked.delete(floor)
  }
  const all = floorsIn(site.buildings)
  const left = all.filter((floor) => ticked.has(floor))
  if (left.length === 0) return myArea
  return left.length === all.length ? everyone : { area: 'building', floors: left }
}

/** Floors whose building has left the event are no choice any more; without any left it is My Area. */
export function stillChosen(filters: FilterSet, buildings: readonly SafetyBuilding[]): FilterSet {
  const here = new Set<string>(floorsIn(buildings))
  if (filters.area !== 'building' || here.size === 0) return filters
  const floors = filters.floors.filter((floor) => here.has(floor))
  return floors.length === filters.floors.length
    ? filters
    : { ...filters, ...(floors.length > 0 ? { floors } : myArea) }
}

/** The unread banner also tells of people elsewhere to whom this warden has written; My Area leaves them out. */
export const isElsewhereToo = ({ area, message }: FilterSet, { buildings, own }: Site): boolean =>
  message === 'unread' && area === 'my area' && own.size < floorsIn(buildings).length

export function tickOf({ floors }: SafetyBuilding, ticked: ReadonlySet<FloorUid>): 'all' | 'some' | 'none' {
  const count = floors.filter(({ id }) => ticked.has(id)).length
  if (count === 0) return 'none'
  return count === floors.length ? 'all' : 'some'
}

/** What is listed: 'Tower A' for all floors of one building, else the number of floors. */
export function areaWords(choice: AreaChoice, site: Site): string {
  if (choice.area === 'my area') return 'My Area'
  if (choice.floors[0] === 'all') return 'Every floor'
  const ticked = tickedFloors(choice, site)
  const whole = site.buildings.find((building) => tickOf(building, ticked) === 'all')
  if (whole?.floors.length === ticked.size) return whole.name
  return `${ticked.size} ${ticked.size === 1 ? 'floor' : 'floors'}`
}
