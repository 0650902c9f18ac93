import pg from 'pg'
import { expect, inject } from 'vitest'
import { setFloorStatus, setPersonStatus, toggleRefusal } from '#features/evacuation/calls/evacuation.ts'
import { endEvent } from '#features/events/calls/events.ts'
import type { FloorStatusUid, FloorUid, PersonUid } from '#kernel/ids.ts'
import { endInput } from '#server/testing/event-input.ts'
import { test } from '#server/testing/server-test.ts'
import type { TestServer } from '#server/testing/test-server.ts'
import { getAlarms } from '../../calls/alarms.ts'

/** An event in both towers, where a warden of Level 1 records what happens. */
async function eventInBoth(server: TestServer) {
  const { given } = server
  const org = await given.organisation()
  const [ground, level1, level2] = org.floors
  const [person, other] = await given.occupants(org, 2)
  const upstairs = await given.occupant(org, { floorUid: level2 })
  const recorder = await given.warden(org, { floorUid: level1 })
  const wardens = {
    ofGround: await given.warden(org),
    ofLevel2: await given.warden(org, { floorUid: level2 }),
    ofBuilding: await given.warden(org, { role: 'Building Warden', modules: ['Module_Wardens_On_Duty'] }),
    ofSite: await given.warden(org, { role: 'Chief Warden' }),
    offDuty: await given.warden(org),
  }
  const running = await server.runningEvent(org, { buildings: [org.buildingUid, org.otherBuildingUid] })
  const call = await server.onDuty(recorder)
  return {
    org,
    ground,
    level1,
    level2,
    upstairs,
    wardens,
    ...running,
    people: [person, other] as [PersonUid, PersonUid],
    record: (personId: PersonUid, status: string, floorId: FloorUid = ground) =>
      call(setPersonStatus, { body: { personId, status, floorId } }),
    refuse: (who: PersonUid, floorId: FloorUid = ground) => call(toggleRefusal, { body: { person: who, floorId } }),
    setFloor: (floorId: FloorUid, floorStatusId: FloorStatusUid) =>
      call(setFloorStatus, { body: { floorId, floorStatusId } }),
    /** What this phone asks from now on, as far as it has raised its alarm or since it began to listen. */
    listen: async (who: keyof typeof wardens | 'recorder' | 'manager') => {
      const phones = { recorder: call, manager: running.manager }
      const phone = who === 'recorder' || who === 'manager' ? phones[who] : await server.onDuty(wardens[who])
      const { cursor: since, floors, ...rest } = await phone(getAlarms, {})
      expect(rest).toEqual({ places: [], is_new: false })
      const hearNow = (raised = since) => phone(getAlarms, { query: { since, raised } })
      const hear = async (raised?: string) => {
        return hearNow(raised)
      }
      return { floors, hear, hearNow }
    },
  }
}

const towerA = (floor: string | null, counts: Partial<Record<'danger' | 'refusals' | 'floor_status', unknown>>) => ({
  building: { id: expect.any(String), name: 'Tower A' },
  floor: floor && { id: expect.any(String), name: floor },
  danger: 0,
  refusals: 0,
  floor_status: null,
  ...counts,
})

test('UX-10 a new danger is told to the wardens of the floor and to managers, and to no one else', async ({
  server,
}) => {
  const event = await eventInBoth(server)
  const { record, listen, people, ground, upstairs, level2 } = event
  const ofFloor = await listen('ofGround')
  const ofOtherFloor = await listen('ofLevel2')
  const ofBuilding = await listen('ofBuilding')
  const manager = await listen('manager')
  expect([ofFloor.floors, ofBuilding.floors, manager.floors]).toEqual([[ground], null, null])

  await record(people[0], 'in danger')
  await record(people[1], 'danger on floor')
  await record(upstairs, 'safe', level2)

  const told = { places: [towerA('Ground', { danger: 2 })], is_new: true }
  expect(await ofFloor.hear()).toMatchObject(told)
  expect(await ofBuilding.hear()).toMatchObject(told)
  expect(await manager.hear()).toMatchObject(told)
  expect((await ofOtherFloor.hear()).places).toEqual([])
})

test('UX-10 who recorded it themself gets no alarm', async ({ server }) => {
  const { record, refuse, listen, people, level1 } = await eventInBoth(server)
  const recorder = await listen('recorder')
  const manager = await listen('manager')
  expect(recorder.floors).toEqual([level1])

  await record(people[0], 'in danger', level1)
  await refuse(people[0], level1)

  expect((await manager.hear()).places).toEqual([towerA('Level 1', { danger: 1, refusals: 1 })])
  expect((await recorder.hear()).places).toEqual([])
})

test('UX-10 a danger that is recorded again, or is over, is no alarm', async ({ server }) => {
  const { record, listen, people } = await eventInBoth(server)
  await record(people[0], 'in danger')
  const manager = await listen('manager')

  await record(people[0], 'in danger')
  await record(people[1], 'in danger')
  await record(people[1], 'safe')
  expect(await manager.hear()).toMatchObject({ places: [], is_new: false })

  await record(people[0], 'safe')
  await record(people[0], 'in danger')
  expect(await manager.hear()).toMatchObject({ places: [towerA('Ground', { danger: 1 })], is_new: true })
})

test('UX-10 what the phone has raised is still told, and is not new', async ({ server }) => {
  const { record, listen, people } = await eventInBoth(server)
  const manager = await listen('manager')
  await record(people[0], 'in danger')
  const { cursor } = await manager.hear()

  expect(await manager.hear(cursor)).toMatchObject({ places: [towerA('Ground', { danger: 1 })], is_new: false })
  await record(people[1], 'in danger')
  expect(await manager.hear(cursor)).toMatchObject({ places: [towerA('Ground', { danger: 2 })], is_new: true })
  await record(people[0], 'safe')
  await record(people[1], 'safe')
  expect(await manager.hear(cursor)).toMatchObject({ places: [], is_new: false })
})

test("UX-10 refusals and 'Assistance Required' are told, dangers first; one taken back is not", async ({ server }) => {
  const { org, record, refuse, setFloor, listen, people, upstairs, ground, level1, level2 } = await eventInBoth(server)
  const { uid } = await server.db
    .insertInto('floorStatus')
    .values({ clientUid: org.clientUid, code: 'ASSIST', name: 'Assistance Required', colour: 'red', displayOrder: 3 })
    .returning('uid')
    .executeTakeFirstOrThrow()
  const assistance = uid as FloorStatusUid
  const manager = await listen('manager')

  await setFloor(ground, assistance)
  await setFloor(level1, assistance)
  await setFloor(level1, org.statusUids[1])
  await refuse(people[0])
  await refuse(people[1])
  await refuse(people[1])
  await record(upstairs, 'in danger', level2)

  expect((await manager.hear()).places).toEqual([
    towerA('Level 2', { danger: 1 }),
    towerA('Ground', { refusals: 1, floor_status: 'Assistance Required' }),
  ])
})

test('UX-10 someone in danger who is seen on another floor alarms its wardens, and no manager again', async ({
  server,
}) => {
  const { record, listen, people, level2 } = await eventInBoth(server)
  await record(people[0], 'in danger')
  const ofGround = await listen('ofGround')
  const ofLevel2 = await listen('ofLevel2')
  const manager = await listen('manager')

  await record(people[0], 'in danger', level2)

  expect((await ofLevel2.hear()).places).toEqual([towerA('Level 2', { danger: 1 })])
  expect((await ofGround.hear()).places).toEqual([])
  expect((await manager.hear()).places).toEqual([])
})

test('UX-10 people who are on no floor alarm the wardens of their building; a building that leaves the event is silent', async ({
  server,
}) => {
  const { org, record, listen, people, manager, upstairs, level2 } = await eventInBoth(server)
  const inLobby = await listen('ofBuilding')
  const ofSite = await listen('manager')
  await record(people[0], 'in danger')
  await record(upstairs, 'in danger', level2)
  await server.db.updateTable('evacuee').set({ floorUid: null }).where('personUid', '=', people[0]).execute()

  expect((await inLobby.hear()).places).toEqual([towerA('Level 2', { danger: 1 }), towerA(null, { danger: 1 })])

  await manager(endEvent, endInput(org, { buildings: [org.buildingUid] }))
  expect((await ofSite.hear()).places).toEqual([])
})

test('UX-10 FEED-03 alarms wait for no open transaction: what is committed is told at once, and once', async ({
  server,
}) => {
  const { record, listen, people, eventUid, org, ground } = await eventInBoth(server)
  const open = await server.database.owner.pg.connect()
  try {
    const manager = await listen('manager')
    await open.query('begin')
    await open.query('select pg_current_xact_id()')
    await record(people[0], 'in danger')

    const told = await manager.hear()
    expect(told).toMatchObject({ places: [towerA('Ground', { danger: 1 })], is_new: true })
    expect(await manager.hear(told.cursor)).toMatchObject({ places: told.places, is_new: false })

    // another danger comes to light with the older transaction
    await open.query(`update evacuee set status = 'danger' where event_uid = $1 and person_uid = $2`, [
      eventUid,
      people[1],
    ])
    await open.query(
      `insert into journal (client_uid, event_uid, action, subject_type, subject_uid, before, after)
        values ($1, $2, 'evacuee_status_set', 'evacuee', $3, '{}', $4)`,
      [org.clientUid, eventUid, people[1], JSON.stringify({ status: 'danger', floor_uid: ground })],
    )
    const before = await manager.hear(told.cursor)
    expect(before).toMatchObject({ places: told.places, is_new: false })
    await open.query('commit')

    const after = await manager.hear(before.cursor)
    expect(after).toMatchObject({ places: [towerA('Ground', { danger: 2 })], is_new: true })
    expect(await manager.hear(after.cursor)).toMatchObject({ places: after.places, is_new: false })
  } finally {
    open.release(true)
  }
})

test.for([
  ['another database', [true, false]],
  // more than a position names: a danger is told again, and not left untold
  ['this database', [true, true]],
] as const)(
  'FEED-03 FEED-05 beside 110 open transactions of %s a danger is told at the next question',
  async ([where, isNew], { server }) => {
    const { record, listen, people } = await eventInBoth(server)
    const manager = await listen('manager')
    const own = where === 'this database' && { database: server.database.connection.database }
    const strangers = await Promise.all(
      Array.from({ length: 110 }, async () => {
        const client = new pg.Client({ ...inject('testAdmin'), ...own })
        await client.connect()
        await client.query('begin; select pg_current_xact_id()')
        return client
      }),
    )
    try {
      await record(people[0], 'in danger')
      const first = await manager.hear()
      const again = await manager.hear(first.cursor)
      await record(people[1], 'in danger')
      const second = await manager.hear(again.cursor)

      expect([first, again].map(({ is_new }) => is_new)).toEqual(isNew)
      expect([first, again, second].map(({ places }) => places[0]?.danger)).toEqual([1, 1, 2])
      expect(second.is_new).toBe(true)
    } finally {
      await Promise.all(strangers.map((client) => client.end()))
    }
  },
)

test('UX-10 FEED-03 beside transactions that begin and end all the time each danger is told as new, once', async ({
  server,
}) => {
  const { record, listen, people } = await eventInBoth(server)
  const manager = await listen('manager')
  let isOver = false
  let told = 0
  const others = Array.from({ length: 4 }, async () => {
    while (!isOver) await server.database.system.pg.query('select pg_current_xact_id(), pg_sleep(0.02)')
  })
  const phone = (async () => {
    for (let raised: string | undefined; !isOver; ) {
      const answer = await manager.hear(raised)
      told += Number(answer.is_new)
      raised = answer.cursor
    }
  })()

  for (let n = 1; n <= 10; n++) {
    await record(people[0], 'in danger')
    await expect.poll(() => told).toBe(n)
    await record(people[0], 'safe')
  }
  isOver = true
  await Promise.all([phone, ...others])

  expect(told).toBe(10)
})

test('UX-10 T1 the position of another organisation opens nothing; who is not on duty is refused', async ({
  server,
}) => {
  const { record, people, wardens, eventUid } = await eventInBoth(server)
  await record(people[0], 'in danger')
  const elsewhere = await eventInBoth(server)
  expect((await elsewhere.manager(getAlarms, { query: { since: '0' } })).places).toEqual([])
  // even if the journal named an event of someone else
  await server.db
    .updateTable('journal')
    .set({ clientUid: elsewhere.org.clientUid })
    .where('eventUid', '=', eventUid)
    .execute()
  const heard = await server.onDuty(wardens.ofSite)
  expect((await heard(getAlarms, { query: { since: '0' } })).places).toEqual([])

  const offDuty = await server.as(wardens.offDuty)
  await expect(offDuty(getAlarms, {})).rejects.toMatchObject({ code: 'not_on_duty' })
})

test('UX-10 T21 an alarm says how many and where: no name and no PEEP', async ({ server }) => {
  const { org, record, listen, people } = await eventInBoth(server)
  await server.given.peep(org, people[0])
  const manager = await listen('manager')
  await record(people[0], 'in danger')

  const { places } = await manager.hear()

  expect(places.map((place) => Object.keys(place))).toEqual([
    ['building', 'floor', 'danger', 'refusals', 'floor_status'],
  ])
})
