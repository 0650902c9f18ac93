import { sql } from 'kysely'
import { floorStatusesOf } from '#kernel/action-words.ts'
import { statusActions } from '#kernel/actions.ts'
import type { BuildingUid, FloorUid } from '#kernel/ids.ts'
import type { TestServer } from '#server/testing/test-server.ts'
import type { World } from '../reference/deeds.fixture.ts'
import { pick, type Script } from './script.fixture.ts'

/** The places and people of a script, in the database, with their short names. */
export async function build(server: TestServer, { plan }: Script) {
  const { given, db } = server
  const org = await given.organisation({ siteName: 'Harbour' })
  const site = await given.site(org, {
    name: 'Quay',
    buildingName: 'House 0',
    floorNames: floorNames(plan.buildings[0] ?? 0),
  })
  const uids = new Map<string, string>()
  const buildings: World['buildings'] = []
  for (const [b, floors] of plan.buildings.entries()) {
    const made = b === 0 ? site : await given.building(site, { name: `House ${b}`, floorNames: floorNames(floors) })
    uids.set(`b${b}`, made.buildingUid)
    for (const [f, uid] of made.floors.entries()) uids.set(`f${b}.${f}`, uid)
    buildings.push({
      id: `b${b}`,
      name: `House ${b}`,
      floors: floorNames(floors)
        .map((name, f) => ({ id: `f${b}.${f}`, name }))
        .reverse(),
    })
  }
  const statuses = await statusesOf(server, org, plan.hasClear)
  for (const { name, uid } of statuses) uids.set(name, uid)
  await db.updateTable('eventType').set({ action: plan.begins }).where('uid', '=', org.eventTypeUid).execute()
  const floors = buildings.flatMap((one) => one.floors.map(({ id }) => id)).sort()
  const people: World['people'] = []
  const at = (place: string) => ({
    ...site,
    buildingUid: uids.get(`b${place[1]}`) as BuildingUid,
    floorUid: uids.get(place) as FloorUid,
  })
  for (const [n, { home, isPlanned, isVisitor }] of plan.people.entries()) {
    const place = isVisitor ? pick([...floors, ...buildings.map(({ id }) => id)], home) : pick(floors, home)
    if (!place) continue
    const uid = isVisitor
      ? await given.visitor(at(place), { floorUid: place.startsWith('f') ? (uids.get(place) as FloorUid) : null })
      : await given.occupant(at(place))
    if (isPlanned) await given.peep(site, uid)
    uids.set(`p${n}`, uid)
    people.push({ id: `p${n}`, home: place, isPlanned })
  }
  const chief = { desk: 0, domain: 'Site', area: 0, modules: 5 } as const
  const wardens: World['wardens'] = []
  const codes = new Map<string, { code: string; warden: Awaited<ReturnType<typeof given.warden>> }>()
  for (const [n, { desk, domain, area, modules }] of [chief, ...plan.wardens].entries()) {
    const deskFloor = pick(floors, desk)
    const floor = pick(floors, area)
    const [isReader, isManager] = [n > 0 && modules === 0, n === 0 || modules === 1]
    const isSite = domain === 'Site'
    const building = pick(buildings, area)?.id ?? 'b0'
    const isFloor = domain === 'Floor' && floor !== undefined
    const usual = ['Module_Floor_Evacuation', 'Module_Evacuee_Safety', 'Module_Floor_Evacuation_Status'] as const
    const own = isReader
      ? (['Module_Event_Records'] as const)
      : ([...usual, ...(isManager ? (['Module_Event_Management'] as const) : [])] as const)
    const warden = await given.warden(
      { ...site, floorUid: uids.get(deskFloor ?? '') as FloorUid },
      {
        role: isSite ? 'Chief Warden' : isFloor ? 'Floor Warden' : 'Building Warden',
        ...(n > 0 && { modules: own }),
        firstName: `Wanda${n}`,
        ...(isSite
          ? {}
          : isFloor
            ? { floorUid: uids.get(floor) as FloorUid }
            : { buildingUid: uids.get(building) as BuildingUid }),
        deskFloorUid: uids.get(deskFloor ?? '') as FloorUid,
      },
    )
    const { rows } = await sql<{ code: string; name: string; role: string }>`
      select p.code, p.name, r.name as role from person p
      join warden_assignment a on a.person_uid = p.uid join warden_role r on r.uid = a.role_uid
      where p.uid = ${warden.personUid}`.execute(db)
    const { code, name, role } = rows[0] as { code: string; name: string; role: string }
    codes.set(`w${n}`, { code, warden })
    uids.set(`q${n}`, warden.personUid)
    people.push({ id: `q${n}`, home: deskFloor ?? '-', isPlanned: false })
    wardens.push({
      id: `w${n}`,
      name,
      role,
      person: `q${n}`,
      isSite,
      isManager,
      takesPart: !isReader,
      area: isSite ? [] : isFloor ? [floor] : [building],
    })
  }
  const world: World = {
    isDrill: plan.isDrill,
    begins: plan.begins,
    buildings,
    people,
    wardens,
    statuses: [...statuses.map(({ name, isClear }) => ({ id: name, name, isClear, action: null })), ...ofActions],
  }
  return { org, site, uids, codes, world, floors }
}
const statusId = (action: string, name: string) => `${action}: ${name}`
const floorNames = (many: number) => Array.from({ length: many }, (_, nth) => `Level ${nth}`)

/** What the product gives an organisation when it first uses an action. */
const ofActions: World['statuses'] = statusActions.flatMap((action) =>
  floorStatusesOf[action].map(({ name, meansClear }) => ({
    id: statusId(action, name),
    name,
    isClear: meansClear,
    action,
  })),
)

async function statusesOf(
  { db }: TestServer,
  org: Awaited<ReturnType<TestServer['given']['organisation']>>,
  hasClear: boolean,
) {
  const more = await db
    .insertInto('floorStatus')
    .values(
      ['Clear', 'Checked'].map((name, nth) => ({
        clientUid: org.clientUid,
        code: name,
        name,
        colour: 'green',
        displayOrder: 3 + nth,
        meansClear: hasClear,
      })),
    )
    .returning(['uid', 'name'])
    .execute()
  return [
    { uid: org.statusUids[0] as string, name: 'Not Started', isClear: false },
    { uid: org.statusUids[1] as string, name: 'Evacuating', isClear: false },
    ...more.map(({ uid, name }) => ({ uid, name, isClear: hasClear })),
  ]
}
