import { expect } from 'vitest'
import { openPools } from '#server/testing/database.ts'
import { wrongTallies } from '#server/testing/recount.ts'
import { refused } from '#server/testing/refused.ts'
import { test } from '#server/testing/server-test.ts'
import { startTestServer, withKey } from '#server/testing/test-server.ts'
import { setPersonStatus } from '../../calls/evacuation.ts'
import { setStatusOnFloor } from '../../calls/floor-overview.ts'
import { setEvacueeStatus, setEvacueeStatusByGet } from '../../calls/safety.ts'
import { evacueeSafety } from './safety.fixture.ts'

test.for([
  ['safe', 'safe', false],
  ['Safe on floor', 'safe', true],
  ['in danger', 'danger', false],
  ['UNKNOWN', 'unknown', false],
] as const)(
  'SAFE-16 API-55 AMB-066 %s is recorded as %s, by GET and by POST',
  async ([spelling, status, onFloor], { server }) => {
    const { person, start } = await evacueeSafety(server)
    const [byPost, byGet] = [await person('Post'), await person('Get')]
    const { call, eventUid } = await start()

    const answers = [
      await call(setEvacueeStatus, { body: { evacueeId: byPost, status: spelling } }),
      await call(setEvacueeStatusByGet, { query: { evacueeId: byGet, status: spelling } }),
    ]

    expect(answers).toEqual(
      [byPost, byGet].map((id) => ({
        status: 'success',
        evacueeId: id,
        newStatus: status,
        person: { id, status, on_floor: onFloor },
        superseded: false,
      })),
    )
    for (const id of [byPost, byGet]) expect(await server.evacueeOf(eventUid, id)).toMatchObject({ status, onFloor })
    expect(await wrongTallies(server.db, eventUid)).toEqual([])
  },
)

test('PROD-13 the place stays what it was, also of a visitor without a floor; the floor screen sees the same record', async ({
  server,
}) => {
  const { org, person, start } = await evacueeSafety(server)
  const moved = await person('Moved')
  const lobby = await server.given.visitor(org, { firstName: 'Lobby', floorUid: null })
  const { call, set, eventUid } = await start()
  await call(setPersonStatus, { body: { personId: moved, status: 'unknown', floorId: org.otherFloorUid } })

  await set(moved, 'danger')
  await set(lobby, 'safe')

  expect(await server.evacueeOf(eventUid, moved)).toMatchObject({ status: 'danger', floorUid: org.otherFloorUid })
  expect(await server.evacueeOf(eventUid, lobby)).toMatchObject({
    status: 'safe',
    buildingUid: org.buildingUid,
    floorUid: null,
  })
  expect((await server.journalOf(moved)).at(-1)).toMatchObject({
    action: 'evacuee_status_set',
    before: { status: 'unknown', floor_uid: org.otherFloorUid },
    after: { status: 'danger', floor_uid: org.otherFloorUid },
  })
  expect(await wrongTallies(server.db, eventUid)).toEqual([])
})

test('API-55 AUTH-07 the same key is one change, by either method; with another status it is refused', async ({
  server,
}) => {
  const { person, start } = await evacueeSafety(server)
  const id = await person('Only')
  const { call } = await start()
  const key = withKey()
  const ask = (status: string) => call(setEvacueeStatusByGet, { query: { evacueeId: id, status } }, key)

  const answers = await Promise.all(Array.from({ length: 5 }, () => ask('safe')))

  expect(new Set(answers.map((answer) => JSON.stringify(answer))).size).toBe(1)
  expect(await server.journalOf(id)).toHaveLength(1)
  expect(await refused(ask('danger'))).toEqual(['idempotency_conflict'])
})

test('AMB-123 a caller without the header cannot set a status by following an address', async ({ server }) => {
  const { person, start } = await evacueeSafety(server)
  const id = await person('Only')
  const { eventUid } = await start()

  const answer = await server.app.inject({
    url: `/api/evacuee/safety/status?evacueeId=${id}&status=safe`,
    headers: { cookie: 'session=x' },
  })

  expect(answer.statusCode).toBe(401)
  expect(answer.headers['cache-control']).toBe('no-store')
  expect(await server.evacueeOf(eventUid, id)).toMatchObject({ status: 'unknown' })
})

test('API-55 T1 unknown and foreign people are not found, other words are turned down', async ({ server }) => {
  const { start } = await evacueeSafety(server)
  const other = await evacueeSafety(server)
  const foreign = await other.person('Foreign')
  const { call } = await start()
  const { eventUid } = await other.start()
  const get = (evacueeId: string, status: string) =>
    call(setEvacueeStatusByGet, { query: { evacueeId: evacueeId as never, status } })

  expect(
    await refused(
      get(foreign, 'safe'),
      get('00000000-0000-4000-8000-000000000000', 'safe'),
      get(foreign, 'fine'),
      get('x', 'safe'),
    ),
  ).toEqual(['not_found', 'not_found', 'invalid_request', 'invalid_request'])
  expect(await server.evacueeOf(eventUid, foreign)).toMatchObject({ status: 'unknown' })
})

test('AUTH-02 each screen records with its own module only', async ({ server }) => {
  const { org, person, start } = await evacueeSafety(server)
  const id = await person('Only')
  const only = (flag: 'Module_Evacuee_Safety' | 'Module_Floor_Evacuation_Status' | 'Module_Floor_Evacuation') =>
    server.given.warden(org, { modules: [flag] })
  const wardens = [
    await only('Module_Floor_Evacuation'),
    await only('Module_Evacuee_Safety'),
    await only('Module_Floor_Evacuation_Status'),
  ]
  await start()

  for (const [n, warden] of wardens.entries()) {
    const call = await server.onDuty(warden)
    const outcome = await refused(
      call(setPersonStatus, { body: { personId: id, status: 'safe', floorId: org.floorUid } }),
      call(setEvacueeStatus, { body: { evacueeId: id, status: 'safe' } }),
      call(setStatusOnFloor, { body: { id, status: 'safe', floor: org.floorUid } }),
    )
    expect(outcome).toEqual(outcome.map((_, at) => (at === n ? 'answered' : 'forbidden')))
  }
})

test('FLOOR-17 SAFE-16 a late safe from the safety screen does not overwrite a newer danger from the floor', async ({
  server,
}) => {
  const { org, person, start } = await evacueeSafety(server)
  const id = await person('Only')
  const { call, eventUid } = await start()
  const seen = (secondsAgo: number) => ({
    headers: {
      'x-observed-at': new Date(Date.now() - secondsAgo * 1000).toISOString(),
      'x-sent-at': new Date().toISOString(),
    },
  })
  const startedAt = new Date(Date.now() - 3_600_000)
  await server.db.updateTable('event').set({ startedAt, beganAt: startedAt }).where('uid', '=', eventUid).execute()
  await call(setPersonStatus, { body: { personId: id, status: 'in danger', floorId: org.floorUid } }, seen(10))

  const late = await call(setEvacueeStatus, { body: { evacueeId: id, status: 'safe' } }, seen(60))

  expect(late).toMatchObject({ newStatus: 'danger', superseded: true })
  expect(await server.evacueeOf(eventUid, id)).toMatchObject({ status: 'danger' })
})

test('PROD-13 I5 sixty taps about five people from three screens at once: each is one entry, the counts are right', async ({
  server,
}) => {
  const { org, start } = await evacueeSafety(server)
  const people = await server.given.occupants(org, 5)
  const { call, eventUid } = await start()
  const statuses = ['safe', 'in danger', 'unknown']
  const floors = [org.floors[0], org.floors[1], org.otherFloorUid]
  const taps = Array.from({ length: 60 }, (_, n) => {
    const id = people[n % 5] as (typeof people)[number]
    const status = statuses[(n >> 1) % 3] as string
    const floor = floors[(n >> 2) % 3] as (typeof floors)[number]
    if (n % 3 === 0) return call(setPersonStatus, { body: { personId: id, status, floorId: floor } }, withKey())
    if (n % 3 === 1) return call(setEvacueeStatus, { body: { evacueeId: id, status } }, withKey())
    return call(setStatusOnFloor, { body: { id, status, floor: n % 2 ? floor : null } }, withKey())
  })

  expect((await refused(...taps)).filter((outcome) => outcome !== 'answered')).toEqual([])

  const entries = (await Promise.all(people.map((id) => server.journalOf(id)))).flat()
  expect(entries).toHaveLength(60)
  expect(await wrongTallies(server.db, eventUid)).toEqual([])
})

test('PROD-13 AMB-106 a tap on the safety screen that waits for a move to another building follows the person there', async ({
  server,
}) => {
  const { org, person, start } = await evacueeSafety(server)
  const id = await person('Moving')
  const { call, eventUid } = await start()
  const evacuee = await server.evacueeOf(eventUid, id)
  const hold = await server.hold('evacuee', evacuee?.uid as string)
  const move = call(setPersonStatus, { body: { personId: id, status: 'unknown', floorId: org.otherFloorUid } })
  await hold.waiting(1)
  await using otherNode = await startTestServer({}, openPools(server.database.connection))
  const tap = otherNode.callWith(call.token)(setEvacueeStatus, { body: { evacueeId: id, status: 'danger' } })
  await hold.waiting(2)

  await hold.release()

  expect(await refused(move, tap)).toEqual(['answered', 'answered'])
  expect(await server.evacueeOf(eventUid, id)).toMatchObject({ status: 'danger', floorUid: org.otherFloorUid })
  expect(await wrongTallies(server.db, eventUid)).toEqual([])
})
