import {
  type FloorData,
  type FloorStatus,
  getFloorData,
  listOccupants,
  type Occupant,
  type PeepPerson,
  type PersonsPage,
  searchOccupants,
  setPersonStatus,
  toggleRefusal,
} from '#features/evacuation/calls/evacuation.ts'
import type { BuildingUid, EvacueeUid, EventUid, FloorStatusUid, FloorUid } from '#kernel/ids.ts'
import { eachStatus, withTotal } from '#kernel/vocabulary.ts'
import type { FakeServer } from './fake-server.ts'
import { knownPeople, pageOf } from './known-people.ts'
import { personId, someFloor } from './outbox.ts'

const uid = (n: number) => `00000000-0000-4000-8000-00000000f${String(n).padStart(3, '0')}`
const towerA = { id: uid(100) as BuildingUid, name: 'Tower A' }
export const towerB = { id: uid(101) as BuildingUid, name: 'Tower B' }
export const level3 = someFloor
export const level4 = uid(4) as FloorUid

const status = (n: number, name: string, colour: string, inuse = true): FloorStatus => ({
  id: uid(200 + n) as FloorStatusUid,
  name,
  label: { colour, display_order: n, inuse },
  means_clear: colour === 'green',
})
export const notStarted = status(1, 'Not Started', 'grey')
export const evacuated = status(3, 'Evacuated', 'green')
/** In an order that is not the one to show, with one that is no longer in use. */
const floorStatuses = [evacuated, notStarted, status(2, 'Evacuating', 'yellow'), status(4, 'Old', 'red', false)]

const nth = (n: number) => String(n).padStart(2, '0')
/** 'Person 01', unknown, without a plan. */
export const occupant = (n: number, more: Partial<Occupant> = {}): Occupant => ({
  id: personId(n),
  evacuee_list_uid: uid(300 + n) as EvacueeUid,
  name: `Person ${nth(n)}`,
  location: 'Tower A - Level 3',
  phone: `6149100${String(n).padStart(4, '0')}`,
  status: 'unknown',
  on_floor: false,
  reported: false,
  visitor: false,
  special: [],
  message: { unread: false, noreply: false },
  ...more,
})
export const occupants = (count: number) => Array.from({ length: count }, (_, at) => occupant(at + 1))

export const plan = { disability: 'Uses a wheelchair', assistance: 'Two helpers', other: 'Hard of hearing' }
export const withPeep = (person: Occupant): Occupant => ({
  ...person,
  special: [{ name: 'assist', state: true, detail: 'Wheelchair', peep: plan }],
})
export const peepPerson = (n: number): PeepPerson => ({
  id: personId(n),
  name: `Person ${nth(n)}`,
  status: 'unknown',
  on_floor: false,
  ...plan,
})

function personsPage(people: readonly Occupant[], page: number, search = ''): PersonsPage {
  const urlOf = (next: number) =>
    `/api/floor/evacuation/persons?${new URLSearchParams({ page: String(next), floor: level3, search })}`
  const { rows, pagination } = pageOf(people, page, urlOf)
  return { persons: rows, pagination, counts: countsOf(people) }
}

const countsOf = (people: readonly Occupant[]) =>
  withTotal(eachStatus((status) => people.filter((person) => person.status === status).length))

/** Level 3 of Tower A during a fire, with these people. */
export function floorData(people: readonly Occupant[], overrides: Partial<FloorData> = {}): FloorData {
  const inA = { ...towerA, buildingId: towerA.id }
  return {
    buildings: [towerA, towerB],
    floors: [
      { id: level3, name: 'Level 3', status: notStarted.id, building: inA },
      { id: level4, name: 'Level 4', status: evacuated.id, building: inA },
    ],
    floor_status: floorStatuses,
    input: { building: towerA.id, floor: level3, status: notStarted.id },
    ...personsPage(people, 1),
    peep: [],
    pwdmi_statuses: [],
    refusal_to_evacuate: 0,
    event: { id: uid(999) as EventUid, type: 'Fire', description: 'Fire or smoke in the building' },
    sms_allowed: true,
    ...overrides,
  }
}

/** A server that knows these people, takes records about them and answers with what it knows. */
export function serveFloor(server: FakeServer, people: Occupant[], overrides: Partial<FloorData> = {}) {
  const known = knownPeople(people)
  const planned = knownPeople(overrides.peep ?? [])
  server.answer(getFloorData, () => floorData(known.all, { ...overrides, peep: [...planned.all] }))
  server.answer(listOccupants, ({ input: { query } }) => {
    const { rows, status, assist } = query
    const isMeant = (person: Occupant) =>
      (!status || person.status === status) && (!assist || person.special.length > 0)
    const found = personsPage(known.all.filter(isMeant), Number(query.page ?? 1), query.search)
    const persons = rows?.split(',').flatMap((uid) => known.all.find((one) => one.evacuee_list_uid === uid) ?? [])
    return { ...found, ...(persons && { persons }), counts: countsOf(known.all) }
  })
  server.answer(searchOccupants, ({ input: { params } }) => {
    const text = decodeURIComponent(params.text)
    return personsPage(known.named(text), 1, text)
  })
  server.answer(setPersonStatus, ({ input: { body } }) => {
    planned.record(body.personId, body.status)
    return known.record(body.personId, body.status, { floor: body.floorId })
  })
  server.answer(toggleRefusal, ({ input: { body } }) => {
    const reported = !known.all.find(({ id }) => id === body.person)?.reported
    known.change(body.person, { reported })
    return { status: 'success' as const, action: reported ? ('add' as const) : ('sub' as const) }
  })
  return { change: known.change }
}
