import type { AlarmPlace } from '#features/live-updates/calls/alarms.ts'
import { formatCount } from '../../lib/counts.ts'
import type { Address } from '../../pages/pages.ts'
import type { StoredAuth } from '../../session/stored-auth.ts'
import type { Say } from '../response.ts'

type Places = readonly AlarmPlace[]
const sum = (places: Places, of: (place: AlarmPlace) => number) => places.reduce((total, place) => total + of(place), 0)

/** People in danger, refusals and floors that need assistance. */
export const alarmCount = (places: Places) =>
  sum(places, ({ danger, refusals, floor_status }) => danger + refusals + (floor_status === null ? 0 : 1))

/** '3 people in danger, Tower A Level 5 and 1 other floor'. */
export function alarmWords(places: Places, say: Say): string {
  const [first, ...others] = places
  if (!first) return ''
  const danger = sum(places, (place) => place.danger)
  const refusals = sum(places, (place) => place.refusals)
  const place = first.floor ? `${first.building.name} ${first.floor.name}` : first.building.name
  const kind = others.every(({ floor }) => floor) ? 'floor' : 'place'
  return [
    ...(danger > 0 ? [say(counted(danger, 'person in danger', 'people in danger'))] : []),
    ...(refusals > 0 ? [say(counted(refusals, 'refusal to evacuate', 'refusals to evacuate'))] : []),
    ...new Set(places.flatMap(({ floor_status }) => floor_status ?? [])),
    others.length > 0 ? `${place} and ${counted(others.length, `other ${kind}`, `other ${kind}s`)}` : place,
  ].join(', ')
}

const counted = (count: number, one: string, several: string) => `${formatCount(count)} ${count === 1 ? one : several}`

/** More floors than this lead to everyone: the address stays short. */
const mostFloors = 20

/** The page with the people concerned, the gravest first. Undefined if this warden may open none. */
export function alarmAddress(places: Places, { module_access }: StoredAuth): Address | undefined {
  if (module_access.Module_Evacuee_Safety) return `/evacuee/safety?${peopleOf(places)}`
  if (module_access.Module_Floor_Evacuation_Status) return '/floor/evacstatus'
  return module_access.Module_Floor_Evacuation ? '/floor/evacuation' : undefined
}

function peopleOf(places: Places): URLSearchParams {
  const inDanger = places.filter(({ danger }) => danger > 0)
  const refusing = places.filter(({ refusals }) => refusals > 0)
  const query = new URLSearchParams()
  if (inDanger.length > 0) query.set('display', 'danger')
  else if (refusing.length > 0) query.set('refusal', 'yes')
  const gravest = [inDanger, refusing, places].find(({ length }) => length > 0) ?? []
  if (gravest.length > mostFloors) query.set('area', 'everyone')
  else for (const { building, floor } of gravest) query.append(floor ? 'floor' : 'building', floor?.id ?? building.id)
  return query
}
