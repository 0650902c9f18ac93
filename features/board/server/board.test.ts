import { expect } from 'vitest'
import { noteHazard } from '#features/arrival-pack/calls.ts'
import { setFloorStatus, toggleRefusal } from '#features/evacuation/calls/evacuation.ts'
import { endEvent } from '#features/events/calls/events.ts'
import type { BuildingUid, FloorUid, PersonUid, SignInUid } from '#kernel/ids.ts'
import { endInput } from '#server/testing/event-input.ts'
import { refused } from '#server/testing/refused.ts'
import { test } from '#server/testing/server-test.ts'
import { getBoard, getBoardPlaces } from '../calls/board.ts'
import { getBoardFloor } from '../calls/board-panel.ts'
import { boardGiven, boardOf, byName, placesOf } from './board.fixture.ts'

test('BOARD-02 BOARD-07 buildings by name, floors from the highest down, people without a floor last', async ({
  server,
}) => {
  const { manager, org, record } = await boardGiven(server)
  await record(0, 'in danger')
  await record(1, 'safe')

  const [board, places] = [await boardOf(server, manager), await placesOf(manager)]

  expect(places.buildings.map(({ name, floors }) => [name, floors.map((floor) => floor.name)])).toEqual([
    ['Tower A', ['Level 2', 'Level 1', 'Ground', 'No floor']],
    ['Tower B', ['Ground', 'No floor']],
  ])
  expect(places.buildings[0]?.floors.at(-1)).toEqual({ id: org.buildingUid, name: 'No floor', level: null })
  expect(places.statuses.map(({ is_first, means_clear }) => [is_first, means_clear])).toEqual([
    [true, false],
    [false, false],
    [false, true],
    [false, false],
    [false, false],
  ])
  expect(board.places).toBe(places.version)
  const floors = byName(board, places)
  expect(floors['Tower A, Ground']).toMatchObject({ status: 0, danger: 1, safe: 1, danger_at: expect.any(Number) })
  expect(floors['Tower A, Level 2']).toEqual({ status: 0, gap: expect.any(Number) })
  expect(floors['Tower A, No floor']).toEqual({ unknown: 1 })
  expect(board.totals.people.total).toBe(10)
})

test('BOARD-08 whose status it is: own warden, another warden, an event manager', async ({ server }) => {
  const { manager, org, asWarden, statuses } = await boardGiven(server)
  const own = { floorStatusId: statuses.clear, floorId: org.floorUid }
  expect(byName(await boardOf(server, manager), await placesOf(manager))['Tower A, Ground']?.since).toBeUndefined()

  await asWarden(setFloorStatus, { body: own })
  await asWarden(setFloorStatus, { body: { ...own, floorId: org.floors[1] } })
  await manager(setFloorStatus, { body: { ...own, floorId: org.floors[2] } })

  const [board, places] = [await boardOf(server, manager), await placesOf(manager)]
  const floors = byName(board, places)
  expect(['Ground', 'Level 1', 'Level 2'].map((name) => floors[`Tower A, ${name}`]?.by)).toEqual([undefined, 'b', 'm'])
  expect(floors['Tower A, Ground']).toMatchObject({ since: expect.any(Number), status: 2 })
  expect(board.totals.floors).toEqual({ total: 4, cleared: 3, under_way: 0, help: 0, not_begun: 1 })
  expect(board.totals.unknown_by_place).toEqual({ not_cleared: 5, cleared: 5 })
})

test('BOARD-05 refusals and floors by stage', async ({ server }) => {
  const { manager, org, people, asWarden, statuses } = await boardGiven(server)
  await asWarden(toggleRefusal, { body: { person: people[0] as never, floorId: org.floorUid } })
  await asWarden(setFloorStatus, { body: { floorStatusId: statuses.help, floorId: org.floorUid } })
  await asWarden(setFloorStatus, { body: { floorStatusId: org.statusUids[1], floorId: org.floors[1] } })

  const { totals } = await boardOf(server, manager)

  expect(totals).toMatchObject({ refused: 1, refused_floors: 1, danger_floors: 0 })
  expect(totals.floors).toEqual({ total: 4, cleared: 0, under_way: 1, help: 1, not_begun: 2 })
})

test('BOARD-04 BOARD-06 BOARD-10 plans, unanswered threads, failed texts and causes, and each split adds up', async ({
  server,
}) => {
  const { manager, org, people, eventUid, record } = await boardGiven(server)
  const [one, two, three, four] = people as [PersonUid, PersonUid, PersonUid, PersonUid]
  await server.given.peep(org, one)
  await server.given.peep(org, four)
  await server.given.evacueeMessage(eventUid, two, { direction: 'in' })
  await server.given.evacueeMessage(eventUid, three, { direction: 'in' })
  await server.given.evacueeMessage(eventUid, three, { direction: 'out' })
  await server.db
    .insertInto('sms')
    .values({
      clientUid: org.clientUid,
      eventUid,
      personUid: three,
      kind: 'message',
      body: 'Are you safe?',
      status: 'failed',
      validUntil: new Date(),
    })
    .execute()
  await record(3, 'safe', org.floors[1])

  const [board, places] = [await boardOf(server, manager), await placesOf(manager)]

  expect(byName(board, places)['Tower A, Ground']).toMatchObject({
    unknown: 3,
    plans: 1,
    unanswered: 1,
    unanswered_at: expect.any(Number),
    text_failed: 1,
  })
  expect(board.totals).toMatchObject({ plans: 1, unanswered: 1, unanswered_at: expect.any(Number) })
  expect(board.totals.unknown_by_cause).toEqual({ unclear: 1, text_failed: 1, asked: 0, seen_before: 0, not_asked: 7 })
  expect(Date.parse(board.slow_at)).toBeLessThanOrEqual(Date.parse(board.at))
})

test('BOARD-10 a contradiction stands on its floor and in the list until the floor is searched again', async ({
  server,
}) => {
  const { manager, org, record, asWarden, statuses } = await boardGiven(server)
  await record(0, 'in danger')
  await asWarden(setFloorStatus, { body: { floorStatusId: statuses.clear, floorId: org.floorUid } })

  const [board, places] = [await boardOf(server, manager), await placesOf(manager)]

  const floor = places.buildings[0]?.floors.findIndex(({ id }) => id === org.floorUid)
  expect(board.contradictions).toEqual([
    { kind: 'cleared_danger', floor, first: expect.any(Number), second: expect.any(Number) },
  ])
  expect(board.more).toBe(false)
  expect(byName(board, places)['Tower A, Ground']).toMatchObject({ contradictions: 1, danger: 1 })
})

test('BOARD-15 the panel of a floor: status and who set it, wardens, claim, offer, causes', async ({ server }) => {
  const { manager, org, people, warden, helper, asWarden, statuses, eventUid, signInUid } = await boardGiven(server)
  await server.onDuty(helper)
  const signIn = await server.signInOf(eventUid, helper)
  await server.given.peep(org, people[0] as PersonUid)
  await asWarden(setFloorStatus, { body: { floorStatusId: statuses.clear, floorId: org.floors[2] } })
  const place = { clientUid: org.clientUid, eventUid, buildingUid: org.buildingUid }
  const helperUid = signIn?.uid as SignInUid
  await server.db
    .insertInto('floorClaim')
    .values({ ...place, floorUid: org.floors[2], signInUid: helperUid })
    .execute()
  const offer = { floorUid: null, toSignInUid: helperUid, bySignInUid: signInUid }
  const endsAt = new Date(Date.now() + 60_000)
  await server.db
    .insertInto('floorOffer')
    .values({ ...place, buildingUid: org.otherBuildingUid, ...offer, endsAt })
    .execute()
  const panel = (floorId: FloorUid) => manager(getBoardFloor, { params: { floorId } })

  expect(await panel(org.floorUid)).toMatchObject({
    floor: { id: org.floorUid, name: 'Ground', building: { id: org.buildingUid, name: 'Tower A' } },
    status: { set: null, means_clear: false },
    people: { unknown: 3, total: 3 },
    refused: 0,
    plans: 1,
    gap_at: null,
    claim: null,
    offer: null,
    wardens: [{ assignment: warden.assignmentUid, person: warden.personUid, role: 'Floor Warden', is_claimant: false }],
  })
  const taken = await panel(org.floors[2])
  expect(taken).toMatchObject({
    status: { name: 'All clear', set: { by: expect.stringMatching(/^Warden/), role: 'Floor Warden', source: 'b' } },
    wardens: [{ sign_in: helperUid, is_claimant: true }],
    gap_at: null,
    claim: { by: expect.stringMatching(/^Helen/), at: expect.any(String) },
  })
  // COV-04: a floor of a building that is covered whole has its wardens and its offer
  expect(await panel(org.otherFloorUid)).toMatchObject({
    offer: { to: expect.stringMatching(/^Helen/) },
    gap_at: null,
    wardens: [{ sign_in: signInUid }],
  })
  const [board, places] = [await boardOf(server, manager), await placesOf(manager)]
  expect(byName(board, places)['Tower A, Level 2']).toMatchObject({ claimed: true, wardens: 1 })
  expect(board.buildings).toEqual([{ wardens: 1 }, { whole: true, wardens: 1, offered: expect.any(Number) }])
  const none = 'c0000000-0000-4000-8000-000000000000' as FloorUid
  expect(await refused(panel(none))).toEqual(['not_found'])
})

test('BOARD-15 COV-04 each floor of a whole building without a warden is a gap', async ({ server }) => {
  const { manager, org } = await boardGiven(server)
  const roles = server.db.updateTable('wardenRole').set({ areaDomain: 'Building' })
  await roles.where('clientUid', '=', org.clientUid).where('name', '=', 'Chief Warden').execute()

  const panel = await manager(getBoardFloor, { params: { floorId: org.otherFloorUid } })

  expect(panel).toMatchObject({ gap_at: expect.any(String), wardens: [] })
})

test('BOARD-15 PACK-12 hazards of the floor, of its whole building and of the site, newest first', async ({
  server,
}) => {
  const { manager, org } = await boardGiven(server)
  const note = (text: string, place?: FloorUid | BuildingUid) =>
    manager(noteHazard, { body: { text, ...(place && { place }) } })
  await note('No lifts', org.buildingUid)
  await note('Gas on Level 2', org.floors[2])
  await note('Water is off')
  await note('Solvents')
  await note('Solvents', org.floorUid)
  const hazardsOf = async (floorId: FloorUid | BuildingUid) =>
    (await manager(getBoardFloor, { params: { floorId } })).hazards

  expect(await hazardsOf(org.floorUid)).toEqual(['Solvents', 'Water is off', 'No lifts'])
  expect(await hazardsOf(org.buildingUid)).toEqual(['Solvents', 'Water is off', 'No lifts'])
  expect(await hazardsOf(org.otherFloorUid)).toEqual(['Solvents', 'Water is off'])
})

test("BOARD-02 BOARD-15 the panel of a building's people on no floor: causes, and what is of a floor alone is empty", async ({
  server,
}) => {
  const { manager, org, eventUid } = await boardGiven(server)
  const panel = (floorId: BuildingUid) => manager(getBoardFloor, { params: { floorId } })

  expect(await panel(org.buildingUid)).toMatchObject({
    floor: { id: org.buildingUid, name: 'No floor', building: { id: org.buildingUid, name: 'Tower A' } },
    people: { safe: 0, unknown: 1, danger: 0, total: 1 },
    unknown_by_cause: { not_asked: 1, asked: 0 },
    status: null,
    wardens: [],
    gap_at: null,
    claim: null,
    offer: null,
  })
  expect(await panel(org.otherBuildingUid)).toMatchObject({ people: { total: 0 } })

  const left = server.db.updateTable('eventBuilding').set({ active: false, removedAt: new Date() })
  await left.where('eventUid', '=', eventUid).where('buildingUid', '=', org.otherBuildingUid).execute()
  expect(await refused(panel(org.otherBuildingUid))).toEqual(['not_found'])
  const foreign = await server.given.organisation()
  expect(await refused(panel(foreign.buildingUid))).toEqual(['not_found'])
})

test('BOARD-01 BOARD-21 who is not on duty or has no event reads why, and without the module nothing', async ({
  server,
}) => {
  const { manager, org, asWarden, deputy } = await boardGiven(server)
  const away = await server.as(deputy)
  const message = 'You are not on duty in this event.'

  expect(await away(getBoard, { query: {} })).toEqual({ status: 'error', message })
  expect(await away(getBoardPlaces, {})).toEqual({ status: 'error', message })
  expect(await refused(asWarden(getBoard, { query: {} }), asWarden(getBoardPlaces, {}))).toEqual([
    'forbidden',
    'forbidden',
  ])
  expect(await refused(manager(getBoard, { query: { since: '-1' } }))).toEqual(['invalid_request'])
  await manager(endEvent, endInput(org, { buildings: [org.buildingUid, org.otherBuildingUid] }))
  expect(await manager(getBoard, { query: {} })).toEqual({ status: 'error', message: 'No Current Events' })
})

test('BOARD-02 a building that leaves the event leaves the board, and the places have another version', async ({
  server,
}) => {
  const { manager, org } = await boardGiven(server)
  const before = await placesOf(manager)
  expect((await boardOf(server, manager)).places).toBe(before.version)

  await manager(endEvent, endInput(org, { buildings: [org.buildingUid] }))

  const [board, places] = [await boardOf(server, manager), await placesOf(manager)]
  expect(places.version).not.toBe(before.version)
  expect(places.buildings.map(({ name }) => name)).toEqual(['Tower B'])
  expect(board.floors).toHaveLength(2)
  expect(board.totals.people.total).toBe(4)
})

test('BOARD-13 a danger of the first second of a minute stands in that minute, whatever fraction the event began at', async ({
  server,
}) => {
  const { manager, people, eventUid, record } = await boardGiven(server)
  await record(0, 'in danger')
  const danger = new Date(Math.floor(Date.now() / 60_000) * 60_000 - 300_000 + 120)
  const began = new Date(danger.getTime() - 1_800_000 + 780)
  await server.db.updateTable('event').set({ beganAt: began }).where('uid', '=', eventUid).execute()
  await server.db
    .updateTable('evacuee')
    .set({ statusObservedAt: danger })
    .where('personUid', '=', people[0] as never)
    .execute()
  // any change makes the board read again
  await record(1, 'safe')

  const [board, places] = [await boardOf(server, manager), await placesOf(manager)]
  const second = byName(board, places)['Tower A, Ground']?.danger_at ?? Number.NaN

  const shown = new Date(Date.parse(board.event.began_at) + second * 1000)
  expect(shown.toISOString()).toBe(`${danger.toISOString().slice(0, 19)}.000Z`)
})
