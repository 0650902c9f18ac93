import type { BuildingUid } from '#kernel/ids.ts'
import type { EventBuilding, EventSite } from '../calls/events.ts'

/** Ticked buildings: always of one site, and either all in its event or all outside of it. */
export type Selection = readonly BuildingUid[]
export const nothingSelected: Selection = []

/** What confirming would do. */
export type Mode = 'start' | 'add' | 'remove' | 'end'

export const buttonLabels: Record<Mode, string> = {
  start: 'Start Event',
  add: 'Add building(s)',
  remove: 'Remove building(s)',
  end: 'End event',
}

export const isInEvent = ({ event }: EventBuilding) => event !== null
const idsOf = (buildings: readonly EventBuilding[]): Selection => buildings.map(({ id }) => id)
const isSame = (a: Selection, b: Selection) => a.length === b.length && a.every((id) => b.includes(id))

export const siteOf = (sites: readonly EventSite[], selection: Selection): EventSite | undefined =>
  sites.find(({ buildings }) => buildings.some(({ id }) => selection.includes(id)))

export const selectedBuildings = (site: EventSite | undefined, selection: Selection): EventBuilding[] =>
  site?.buildings.filter(({ id }) => selection.includes(id)) ?? []

/** A building of another site or of the other kind takes the place of what was ticked. */
export function toggleBuilding(site: EventSite, selection: Selection, id: BuildingUid): Selection {
  const building = site.buildings.find((one) => one.id === id)
  if (!building?.manageable) return selection
  if (selection.includes(id)) return selection.filter((other) => other !== id)
  const sameKind = selectedBuildings(site, selection).filter((one) => isInEvent(one) === isInEvent(building))
  return [...idsOf(sameKind), id]
}

/** The buildings in the event, then those without, then none; where no event runs: all, then none. */
export function toggleSite(site: EventSite, selection: Selection): Selection {
  const manageable = site.buildings.filter((one) => one.manageable)
  const inEvent = idsOf(manageable.filter(isInEvent))
  const outside = idsOf(manageable.filter((one) => !isInEvent(one)))
  const steps = [inEvent, outside].filter((ids) => ids.length > 0)
  const at = steps.findIndex((ids) => isSame(ids, selection))
  return steps[at + 1] ?? nothingSelected
}

export function modeOf(site: EventSite | undefined, selection: Selection): Mode {
  const running = site?.buildings.filter(isInEvent) ?? []
  const selected = selectedBuildings(site, selection)
  if (running.length === 0 || selected.length === 0) return 'start'
  if (!selected.every(isInEvent)) return 'add'
  return selected.length === running.length ? 'end' : 'remove'
}

export function noticeOf(site: EventSite | undefined, selection: Selection): string {
  if (!site?.buildings.some(isInEvent)) return 'Select building(s) and enter details for the new emergency event.'
  const selected = selectedBuildings(site, selection)
  if (selected.length === 0)
    return 'Conclude the current event or add/remove selected building(s) from the current event.'
  return selected.every(isInEvent)
    ? 'Conclude the current event at selected building(s).'
    : 'Add selected building(s) to the current event.'
}

/** Are the ticked buildings in the event? They are all of one kind. */
export const isSelectedInEvent = (sites: readonly EventSite[], selection: Selection): boolean =>
  selectedBuildings(siteOf(sites, selection), selection).some(isInEvent)

/**
 * What is left of a selection after the buildings were read again: someone else may have changed the event. Nothing, when
 * one has entered or left it since it was ticked: the same button would do the opposite of what was meant.
 */
export function stillValid(sites: readonly EventSite[], selection: Selection, wereInEvent: boolean): Selection {
  const selected = selectedBuildings(siteOf(sites, selection), selection).filter(({ manageable }) => manageable)
  if (selected.some((one) => isInEvent(one) !== wereInEvent)) return nothingSelected
  return isSame(idsOf(selected), selection) ? selection : idsOf(selected)
}
