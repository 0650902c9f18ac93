import type { BuildingEvent, EventBuilding, EventSite, EventSites, EventType } from '#features/events/calls/events.ts'
import type { BuildingUid, EventTypeUid, EventUid, SiteUid } from '#kernel/ids.ts'

const uid = (n: number) => `00000000-0000-4000-8000-00000000e${String(n).padStart(3, '0')}`

export const fire: EventType = {
  id: uid(1) as EventTypeUid,
  type: 'Fire',
  description: 'Fire or smoke in the building',
  message: 'Fire alarm. Leave by the nearest safe exit and go to the assembly area.',
  kind: 'live',
}
export const drill: EventType = {
  id: uid(2) as EventTypeUid,
  type: 'Evacuation Drill',
  description: 'A planned exercise',
  message: 'This is a drill. Leave by the nearest exit. '.repeat(4),
  kind: 'drill',
}
export const runningFire: BuildingEvent = {
  id: uid(3) as EventUid,
  type: fire.type,
  description: fire.description,
  kind: 'live',
}

export const building = (n: number, name: string, more: Partial<EventBuilding> = {}): EventBuilding => ({
  id: uid(10 + n) as BuildingUid,
  name,
  event: null,
  manageable: true,
  ...more,
})
export const towerA = building(1, 'Tower A')
export const towerB = building(2, 'Tower B')
export const annex = building(3, 'Annex')
export const library = building(4, 'Library')
export const burning = (one: EventBuilding): EventBuilding => ({
  ...one,
  event: { ...runningFire, eventType: fire.id },
})

const site = (n: number, name: string, buildings: EventBuilding[]): EventSite => ({
  id: uid(30 + n) as SiteUid,
  name,
  buildings,
})
export const quarter = (...buildings: EventBuilding[]) => site(1, 'Harbour Quarter', buildings)
export const campus = (...buildings: EventBuilding[]) => site(2, 'Northgate Campus', buildings)

/** What the event screen opens with: two sites, no event. */
export const eventSites = (overrides: Partial<EventSites['data']> = {}): EventSites => ({
  data: {
    sites: [quarter(towerA, towerB, annex), campus(library)],
    eventTypes: [fire, drill],
    activeEvent: null,
    sms_allowed: true,
    ...overrides,
  },
})

/** A fire in Tower A and Tower B of the session's own site. */
export const fireRuns = (overrides: Partial<EventSites['data']> = {}): EventSites => {
  const own = quarter(burning(towerA), burning(towerB), annex)
  const activeEvent = { ...runningFire, active: true, siteId: own.id, eventType: fire.id, live: null }
  return eventSites({ sites: [own, campus(library)], activeEvent, ...overrides })
}
