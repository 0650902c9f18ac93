import { expect } from 'vitest'
import { listReportInCards } from '#features/duty/calls/report-in.ts'
import { getFloorData } from '#features/evacuation/calls/evacuation.ts'
import type { ClientUid, EventTypeUid, EventUid, SiteUid } from '#kernel/ids.ts'
import { refreshEventStatistics } from '#server/platform/db/migrate.ts'
import { startInput } from '#server/testing/event-input.ts'
import { wrongTallies } from '#server/testing/recount.ts'
import { test } from '#server/testing/server-test.ts'
import type { TestServer } from '#server/testing/test-server.ts'
import { startTestServer } from '#server/testing/test-server.ts'
import { createEvent, listEventSites } from '../calls/events.ts'

async function managerOf(server: TestServer) {
  const org = await server.given.organisation()
  const chief = await server.given.warden(org, { role: 'Chief Warden' })
  return { org, chief, manager: await server.as(chief) }
}

test('EVENT-21 API-30 a started event stands in the database as it was asked for', async ({ server }) => {
  const { org, chief, manager } = await managerOf(server)

  const reply = await manager(createEvent, startInput(org, { message: '  Evacuate now.  ' }))

  expect(reply).toEqual({
    status: 'event_created',
    message: 'Event has been successfully created.',
    event: { id: expect.any(String), type: 'Fire', description: 'Fire or smoke', kind: 'live' },
    WardenSignInUID: expect.any(String),
    on_duty: true,
    event_kind: 'live',
  })
  expect(await eventsOf(server, org.siteUid)).toMatchObject([
    {
      uid: reply.event?.id,
      siteUid: org.siteUid,
      eventTypeUid: org.eventTypeUid,
      message: 'Evacuate now.',
      broadcast: false,
      alert: false,
      startedBySignInUid: reply.WardenSignInUID,
      endedAt: null,
    },
  ])
  expect(await server.journalOf(reply.event?.id as string)).toMatchObject([
    { action: 'event_started', actorPersonUid: chief.personUid, eventUid: reply.event?.id },
  ])
})

test('EVENT-49 AMB-086 the payload may come under userInput', async ({ server }) => {
  const { org, manager } = await managerOf(server)

  const reply = await manager(createEvent, { body: { userInput: startInput(org).body } })

  expect(reply.status).toBe('event_created')
  expect(await eventsOf(server, org.siteUid)).toHaveLength(1)
})

test('EVENT-59 the creator is on duty at once, and their session acts at that site', async ({ server }) => {
  const { org, chief } = await managerOf(server)
  const floorWarden = { role: 'Floor Warden' } as const
  const assignmentUid = await server.given.assignment(chief, await server.given.site(org), floorWarden)
  await server.db
    .updateTable('wardenRole')
    .set({ modules: ['Event_Management'] })
    .where('clientUid', '=', org.clientUid)
    .execute()
  const manager = await server.as({ ...chief, assignmentUid })

  const reply = await manager(createEvent, startInput(org))

  const signIn = await server.signInOf(reply.event?.id as EventUid, chief)
  expect(signIn).toMatchObject({ uid: reply.WardenSignInUID, reportedIn: true, onDuty: true, notAvailable: false })
  expect(await manager(listEventSites, {})).toMatchObject({ data: { activeEvent: { siteId: org.siteUid } } })
  const [card] = await manager(listReportInCards, { query: { signInMethod: 'Email' } })
  expect(card).toMatchObject({ Footer: 'You are on duty in this event.', Warden_Sign_In_UID: reply.WardenSignInUID })
})

test('EVENT-51 every warden in scope has an unknown sign-in, no one else has one', async ({ server }) => {
  const { org, chief, manager } = await managerOf(server)
  const { warden, site } = server.given
  const [onFloor, ofBuilding, deputy] = [
    await warden(org),
    await warden(org, { role: 'Building Warden' }),
    await warden(org, { role: 'Chief Warden' }),
  ]
  // an event manager of another floor is always in scope (AMB-095)
  const far = await warden(org, { floorUid: org.otherFloorUid, modules: ['Module_Event_Management'] })
  const inScope = [chief, onFloor, ofBuilding, deputy, far]
  await warden(org, { floorUid: org.otherFloorUid })
  await warden(org, { role: 'Building Warden', buildingUid: org.otherBuildingUid })
  await warden(await site(org), { role: 'Chief Warden' })
  for (const status of ['Offered', 'Declined', 'Withdrawn'] as const) await warden(org, { status })
  await warden(org, { dateTo: '2020-12-31' })
  await warden(org, { dateFrom: '2099-01-01' })
  const left = await warden(org)
  await server.db.updateTable('person').set({ active: false }).where('uid', '=', left.personUid).execute()

  const { event } = await manager(createEvent, startInput(org))

  const signIns = await signInsOf(server, event?.id as EventUid)
  expect(new Set(signIns.map((row) => row.assignmentUid))).toEqual(new Set(inScope.map((w) => w.assignmentUid)))
  const unknown = signIns.filter((row) => !row.reportedIn && !row.onDuty && !row.notAvailable && row.closedAt === null)
  expect(unknown).toHaveLength(inScope.length - 1)
})

test('EVENT-51 floors begin at the first status that is in use', async ({ server }) => {
  const { org, manager } = await managerOf(server)
  await server.db
    .insertInto('floorStatus')
    .values({ clientUid: org.clientUid, code: 'X', name: 'Old first', colour: 'grey', displayOrder: 0, inUse: false })
    .execute()

  const { event } = await manager(createEvent, startInput(org))

  const floors = server.db.selectFrom('eventFloor').select(['floorUid', 'floorStatusUid'])
  const rows = await floors.where('eventUid', '=', event?.id as EventUid).execute()
  expect(new Set(rows.map(({ floorUid }) => floorUid))).toEqual(new Set(org.floors))
  expect(new Set(rows.map(({ floorStatusUid }) => floorStatusUid))).toEqual(new Set([org.statusUids[0]]))
})

test.for([
  [
    'has no floor status in use: at the first',
    (own) => own.db.updateTable('floorStatus').set({ inUse: false }).execute(),
    ['Not Started'],
  ],
  [
    'named no floor status: with the usual ones',
    (own) => own.database.owner.db.deleteFrom('floorStatus').execute(),
    ['Not Started', 'Evacuating', 'Evacuated', 'Assistance Required'],
  ],
] as const satisfies [string, (own: TestServer) => Promise<unknown>, string[]][])(
  'EVENT-51 AMB-111 floors begin all the same where an organisation %s',
  async ([, change, names]) => {
    await using own = await startTestServer()
    const { org, manager } = await managerOf(own)
    const person = await own.given.occupant(org)
    await change(own)

    await manager(createEvent, startInput(org))

    expect(await manager(getFloorData, {})).toMatchObject({
      floors: [{ name: 'Ground' }, { name: 'Level 1' }, { name: 'Level 2' }],
      floor_status: names.map((name) => ({ name })),
      persons: [{ id: person }],
    })
  },
)

test('EVENT-40 EVENT-57 a second start says event_running and changes nothing', async ({ server }) => {
  const { org, manager } = await managerOf(server)
  const first = await manager(createEvent, startInput(org))

  const answers = [
    await manager(createEvent, startInput(org)),
    await manager(createEvent, startInput(org, { buildings: [org.buildingUid, org.otherBuildingUid] })),
    await manager(
      createEvent,
      startInput(org, { buildings: [org.otherBuildingUid], eventType: org.otherEventTypeUid }),
    ),
  ]

  const running = {
    status: 'event_running',
    message: `An event is already running at ${org.siteName}.`,
    event: first.event,
    WardenSignInUID: first.WardenSignInUID,
    on_duty: true,
    event_kind: 'live',
  }
  expect(answers).toEqual([running, running, running])
  expect(await eventsOf(server, org.siteUid)).toHaveLength(1)
  expect(await buildingsOf(server, org.clientUid)).toEqual([org.buildingUid])
  expect(await server.journalOf(first.event?.id as string)).toHaveLength(1)
})

test('EVENT-21 an event type that is unknown, foreign or out of use is 404 and starts nothing', async ({ server }) => {
  const { org, manager } = await managerOf(server)
  const other = await server.given.organisation()
  await server.db.updateTable('eventType').set({ active: false }).where('uid', '=', org.otherEventTypeUid).execute()

  for (const eventType of [
    org.otherEventTypeUid,
    other.eventTypeUid,
    '00000000-0000-4000-8000-000000000000' as EventTypeUid,
  ])
    await expect(manager(createEvent, startInput(org, { eventType }))).rejects.toMatchObject({ code: 'not_found' })

  expect(await eventsOf(server, org.siteUid)).toEqual([])
})

test.for([
  ['no buildings', { buildings: [] }],
  ['a building twice', 'twice'],
  ['a building that is no uid', { buildings: ['Tower A'] }],
  ['no message', { message: '' }],
  ['a message of spaces', { message: '   ' }],
  ['131 characters', { message: 'x'.repeat(131) }],
  ['66 flames, each of which a phone counts twice', { message: '🔥'.repeat(66) }],
  ['a toggle that is neither yes nor no', { broadcastMessage: 'maybe' }],
  ['an unknown field', { ended_at: null }],
  ['a site of its own', { siteUid: '00000000-0000-4000-8000-000000000000' }],
] as const)('EVENT-39 EVENT-49 CONST-08 T6 %s is 422 and starts nothing', async ([, over], { server }) => {
  const { org, manager } = await managerOf(server)
  const change = over === 'twice' ? { buildings: [org.buildingUid, org.buildingUid] } : over
  const { body } = startInput(org, change as never)

  for (const sent of [body, { userInput: body }])
    await expect(manager(createEvent, { body: sent })).rejects.toMatchObject({ code: 'invalid_request', status: 422 })

  expect(await eventsOf(server, org.siteUid)).toEqual([])
})

test('EVENT-39 CONST-08 130 characters are taken', async ({ server }) => {
  const { org, manager } = await managerOf(server)

  const reply = await manager(createEvent, startInput(org, { message: 'é'.repeat(130) }))

  expect(reply.status).toBe('event_created')
  expect(await wrongTallies(server.db, reply.event?.id as string)).toEqual([])
})

const eventsOf = ({ db }: TestServer, siteUid: SiteUid) =>
  db.selectFrom('event').selectAll().where('siteUid', '=', siteUid).execute()
const signInsOf = ({ db }: TestServer, eventUid: EventUid) =>
  db.selectFrom('wardenSignIn').selectAll().where('eventUid', '=', eventUid).execute()
const buildingsOf = async ({ db }: TestServer, clientUid: ClientUid) => {
  const rows = db.selectFrom('eventBuilding').select('buildingUid').where('clientUid', '=', clientUid)
  return (await rows.where('active', '=', true).execute()).map(({ buildingUid }) => buildingUid)
}

test('EVENT-21 from its start on statements are planned for as many wardens as the event has', async () => {
  let refreshed: Promise<unknown> | undefined
  await using own = await startTestServer({
    refreshStatistics: () => {
      refreshed = refreshEventStatistics(own.database.owner.db)
    },
  })
  const org = await own.given.organisation()
  for (let n = 0; n < 30; n += 1) await own.given.warden(org)

  await own.runningEvent(org)
  await refreshed

  const { rows } = await own.database.owner.pg.query(
    `select reltuples from pg_class where oid = 'warden_sign_in'::regclass`,
  )
  expect(rows).toEqual([{ reltuples: 31 }])
})
