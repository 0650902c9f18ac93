import { expect } from 'vitest'
import { offerRole } from '#features/assignments/calls/wardens.ts'
import type { FloorUid, SiteUid, WardenRoleUid } from '#kernel/ids.ts'
import { givenConsole } from '#server/testing/console-organisation.ts'
import { postAs } from '#server/testing/post.ts'
import { refused } from '#server/testing/refused.ts'
import { test } from '#server/testing/server-test.ts'
import {
  addBuilding,
  addFloors,
  addSite,
  bringBackPlace,
  changePlace,
  listPlaces,
  movePlace,
  retirePlace,
} from '../calls.ts'

test('PPL-20 the tree counts people and the wardens of today at site, building and floor', async ({ server }) => {
  const { org, call } = await givenConsole(server)
  const { given } = server
  await given.occupant(org)
  await given.occupant(org, { active: false })
  await given.warden(org)
  await given.warden(org, { dateFrom: '2090-01-01' })
  await given.warden(org, { status: 'Offered' })
  await given.warden(org, { role: 'Building Warden' })
  await given.warden(org, { role: 'Chief Warden', deskFloorUid: org.otherFloorUid })

  const { sites } = await call(listPlaces, {})
  const { buildings, floors, by_building } = await call(listPlaces, { query: { site: org.siteUid } })

  expect(sites).toEqual([
    expect.objectContaining({
      uid: org.siteUid,
      name: org.siteName,
      buildings: 2,
      floors: 4,
      people: 6,
      wardens: 3,
      assignments: 5,
      event: null,
      retired_at: null,
    }),
  ])
  expect(buildings.map(({ name, people, wardens, floors }) => [name, people, wardens, floors])).toEqual([
    ['Tower A', 5, 2, 3],
    ['Tower B', 1, 0, 1],
  ])
  expect(floors.filter(({ building }) => building === org.buildingUid)).toMatchObject([
    { name: 'Ground', level: 0, people: 5, wardens: 1, assignments: 3 },
    { name: 'Level 1', level: 1, people: 0, wardens: 0, assignments: 0 },
    { name: 'Level 2', level: 2 },
  ])
  expect(by_building).toBe(false)
})

test('PPL-20 an administrator adds a site, a building and several floors; codes are made', async ({ server }) => {
  const { call, ofSite } = await givenConsole(server)

  const site = await call(addSite, { body: { name: 'Hill School', timezone: 'Pacific/Auckland' } })
  const building = await call(addBuilding, { body: { site: site.uid, name: 'Main' } })
  const floors = [{ name: 'Level 1' }, { name: 'Level 2' }, { name: 'Roof', code: 'R' }]
  const { uids } = await call(addFloors, { body: { building: building.uid, kind: 'floor', floors } })
  const more = await call(addFloors, { body: { building: building.uid, kind: 'area', floors: [{ name: 'Yard' }] } })

  const tree = await call(listPlaces, { query: { site: site.uid } })
  expect(tree.sites).toMatchObject([{ name: 'Hill School', code: 'S-001', timezone: 'Pacific/Auckland' }])
  expect(tree.buildings).toMatchObject([{ name: 'Main', code: 'B-001' }])
  expect(tree.floors.map(({ uid, name, code, level, kind }) => [uid, name, code, level, kind])).toEqual([
    [uids[0], 'Level 1', 'F-001', 0, 'floor'],
    [uids[1], 'Level 2', 'F-002', 1, 'floor'],
    [uids[2], 'Roof', 'R', 2, 'floor'],
    [more.uids[0], 'Yard', 'F-003', 3, 'area'],
  ])
  const ofOne = await ofSite()
  expect(await refused(ofOne(addSite, { body: { name: 'Annexe' } }))).toEqual(['forbidden'])
  expect(await refused(ofOne(addBuilding, { body: { site: site.uid, name: 'Annexe' } }))).toEqual(['not_found'])
})

test("PPL-20 ORG-32 IMP-56 a bad name is told in the importer's words, a used code and name too", async ({
  server,
}) => {
  const { org, call } = await givenConsole(server)
  const bad = async (floor: object) => {
    const body = { building: org.buildingUid, kind: 'floor', floors: [floor] }
    const reply = await postAs(server, call, addFloors.path, body)
    return [reply.status, reply.body.message]
  }
  const { floors } = await call(listPlaces, { query: { site: org.siteUid } })
  const used = floors.find(({ building }) => building === org.buildingUid)

  expect(await bad({ name: ' ' })).toEqual([422, 'Name is empty'])
  expect(await bad({ name: 'Level 1' })).toEqual([422, expect.stringMatching(/^Name is also the name of/)])
  expect(await bad({ name: ' LEVEL  1' })).toEqual([422, expect.stringMatching(/only in case or spaces$/)])
  expect(await bad({ name: 'Level 9', code: used?.code })).toEqual([422, 'Code is already in use'])
})

test('PPL-20 ORG-33 a place is renamed once; who has seen an older version is told when it changed', async ({
  server,
}) => {
  const { org, call } = await givenConsole(server)
  const site = async () => (await call(listPlaces, {})).sites[0]
  const version = (await site())?.version ?? ''
  const rename = (name: string) => call(changePlace, { params: { uid: org.siteUid }, body: { version, name } })

  await rename('Harbour')

  await expect(rename('Quay')).rejects.toMatchObject({
    code: 'changed_since',
    message: expect.stringMatching(/^Someone else changed this at \d\d:\d\d\.$/),
  })
  expect(await site()).toMatchObject({ name: 'Harbour', code: expect.stringMatching(/^S/) })
})

test('AAR-38: an administrator sets how often a site drills and its shifts; the rest of the site stays', async ({
  server,
}) => {
  const { org, call } = await givenConsole(server)
  const site = async () => (await call(listPlaces, {})).sites[0]
  const before = await site()
  const set = async (drilling: object) => {
    const { version = '', name = '' } = (await site()) ?? {}
    return call(changePlace, { params: { uid: org.siteUid }, body: { version, name, ...drilling } })
  }

  await set({ drill_every_days: 90, drill_shifts: '15:00; 07:00;23:00' })

  const drilling = { drill_every_days: 90, drill_shifts: '07:00;15:00;23:00' }
  expect(await site()).toEqual({ ...before, ...drilling, version: expect.any(String) })
  await expect(set({ drill_every_days: 6 })).rejects.toMatchObject({ code: 'invalid_request' })
  await expect(set({ drill_shifts: 'noon' })).rejects.toMatchObject({ code: 'invalid_request' })
  await set({ drill_every_days: 365, drill_shifts: '' })
  expect(await site()).toMatchObject({ drill_every_days: 365, drill_shifts: '' })
})

test('PPL-20 a floor is moved behind another one or to the bottom, by its level', async ({ server }) => {
  const { org, call } = await givenConsole(server)
  const [ground, one, two] = org.floors
  const order = async () =>
    (await call(listPlaces, { query: { site: org.siteUid } })).floors
      .filter(({ building }) => building === org.buildingUid)
      .map(({ name, level }) => `${name} ${level}`)
  const move = (uid: FloorUid, after: FloorUid | null) => call(movePlace, { params: { uid }, body: { after } })

  await move(two, ground)
  expect(await order()).toEqual(['Ground 0', 'Level 2 1', 'Level 1 2'])
  await move(one, null)
  expect(await order()).toEqual(['Level 1 0', 'Ground 1', 'Level 2 2'])
  expect(await refused(move(one, org.otherFloorUid), move(org.siteUid as never, null))).toEqual([
    'not_found',
    'not_found',
  ])
})

test('PPL-21 PPL-22 a place in use is not retired, and says what needs it', async ({ server }) => {
  const { org, call } = await givenConsole(server)
  await server.given.occupant(org, { floorUid: org.floors[1] })
  const warden = await server.given.warden(org, { deskFloorUid: org.otherFloorUid })
  const document = { clientUid: org.clientUid, code: 'D', name: 'Plan', url: 'https://a.test/', siteUid: org.siteUid }
  await server.db.insertInto('document').values(document).execute()
  const uses = async (uid: string) => {
    const reply = await postAs(server, call, `/api/console/places/${uid}/retire`)
    return [reply.status, reply.body]
  }

  expect(await uses(org.siteUid)).toEqual([
    409,
    {
      error: 'in_use',
      message: 'This is still in use: 2 people, 1 assignment, 1 document.',
      uses: [
        { what: 'people', count: 2 },
        { what: 'assignments', count: 1 },
        { what: 'documents', count: 1 },
      ],
    },
  ])
  expect(await uses(org.floors[1])).toMatchObject([409, { uses: [{ what: 'people', count: 1 }] }])
  expect(await uses(org.floorUid)).toMatchObject([409, { uses: [{ what: 'assignments', count: 1 }] }])
  await server.db
    .updateTable('wardenAssignment')
    .set({ dateTo: '2021-01-01' })
    .where('uid', '=', warden.assignmentUid)
    .execute()
  expect(await uses(org.floorUid)).toEqual([200, { status: 'done' }])
})

test('PPL-21 ORG-42 a place is not retired while an event runs at its site', async ({ server }) => {
  const { org, call } = await givenConsole(server)
  await server.runningEvent(org)
  const reply = await postAs(server, call, `/api/console/places/${org.floors[2]}/retire`)

  expect(reply).toEqual({
    status: 409,
    body: {
      error: 'in_event',
      message: `An event is running at ${org.siteName}. This can be changed when it has ended.`,
    },
  })
})

test('PPL-21 PPL-22 the name of a retired place is free, its code is not; back it comes with what went with it', async ({
  server,
}) => {
  const { org, call } = await givenConsole(server)
  const { uid } = await call(addBuilding, { body: { site: org.siteUid, name: 'Annexe', code: 'AX' } })
  const body = { building: uid, kind: 'floor' as const, floors: [{ name: 'One' }, { name: 'Two' }] }
  const { uids } = await call(addFloors, { body })
  const [one = '' as FloorUid, two = '' as FloorUid] = uids
  const params = { uid }
  await call(retirePlace, { params: { uid: one } })
  await call(retirePlace, { params })

  const added = await call(addBuilding, { body: { site: org.siteUid, name: 'Annexe' } })
  expect(await refused(call(addBuilding, { body: { site: org.siteUid, name: 'New', code: 'AX' } }))).toEqual([
    'invalid_request',
  ])
  expect(await refused(call(addFloors, { body }), call(bringBackPlace, { params: { uid: two } }))).toEqual([
    'not_found',
    'invalid_transition',
  ])
  expect(await refused(call(bringBackPlace, { params }))).toEqual(['taken'])
  await call(retirePlace, { params: { uid: added.uid } })
  await call(bringBackPlace, { params })
  const tree = await call(listPlaces, { query: { site: org.siteUid, building: uid } })
  expect(tree.floors.map(({ name, retired_at }) => [name, retired_at === null])).toEqual([
    ['One', false],
    ['Two', true],
  ])
})

test('PPL-21 of retiring a floor and offering it, eight of each at once, either all offers or none stand', async ({
  server,
}) => {
  const { org, call } = await givenConsole(server)
  const held = await server.given.warden(org)
  const { roleUid } = await server.db
    .selectFrom('wardenAssignment')
    .select('roleUid')
    .where('uid', '=', held.assignmentUid)
    .executeTakeFirstOrThrow()
  const people = await Promise.all(Array.from({ length: 6 }, () => server.given.warden(org)))
  const floor = org.floors[2]
  const body = {
    role: roleUid as WardenRoleUid,
    site: org.siteUid as SiteUid,
    places: [floor],
    from: '2026-01-01',
    to: '2099-01-01',
  }

  const outcomes = await refused(
    ...people.flatMap(({ personUid }) => [
      call(offerRole, { body: { ...body, people: [personUid], accepted: false, tell: false } }),
      call(retirePlace, { params: { uid: floor } }),
    ]),
  )

  const offered = outcomes.filter((outcome, n) => n % 2 === 0 && outcome === 'answered').length
  const retired = outcomes.filter((outcome, n) => n % 2 === 1 && outcome === 'answered').length
  expect([offered > 0, retired > 0]).toContain(true)
  expect(offered > 0 && retired > 0).toBe(false)
  const { assignments, retired_at } =
    (await call(listPlaces, { query: { site: org.siteUid } })).floors.find(({ uid }) => uid === floor) ?? {}
  expect([assignments, retired_at === null]).toEqual([offered, retired === 0])
})
