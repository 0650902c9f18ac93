import { randomUUID } from 'node:crypto'
import { expect } from 'vitest'
import { setPersonStatus } from '#features/evacuation/calls/evacuation.ts'
import { logout } from '#features/sign-in/calls/sign-in.ts'
import { wrongTallies } from '#server/testing/recount.ts'
import { refused } from '#server/testing/refused.ts'
import { test } from '#server/testing/server-test.ts'
import { type TestServer, withKey } from '#server/testing/test-server.ts'
import { type LateRecord, sendLateRecords } from '../../calls/late.ts'
import { getRecord, listNames, listTimeline } from '../../calls/records.ts'
import { givenDrilled, writeRecords } from '../records.fixture.ts'
import { givenLate } from './late.fixture.ts'

test('AAR-22 what a phone sends after the end is kept in the timeline as seen then, and changes no state', async ({
  server,
}) => {
  const { late, send, entries, eventUid, org, persons, manager, record, seen, floor } = await givenLate(server)
  const before = await server.evacueeOf(eventUid, persons[0] as never)
  const records = [
    late(),
    late({ kind: 'floorStatus', person: undefined, status: undefined, floor_status: org.statusUids[1] }),
    late({ kind: 'refusal', status: undefined, refused: true }),
  ].map((one) => JSON.parse(JSON.stringify(one)) as LateRecord)

  expect(await send(records)).toEqual({ kept: records.map(({ key }) => key), refused: [] })

  expect(await server.evacueeOf(eventUid, persons[0] as never)).toEqual(before)
  expect(await wrongTallies(server.db, eventUid)).toEqual([])
  const kept = await entries()
  const by = { name: expect.stringMatching(/^Ada /), role: 'Floor Warden' }
  expect(kept.map(({ subjectType, after }) => [subjectType, after])).toEqual([
    ['evacuee', { status: 'danger', on_floor: false, floor_uid: floor, by }],
    ['floor', { floor_status_uid: org.statusUids[1], by }],
    ['evacuee', { refused: true, floor_uid: floor, by }],
  ])
  expect(Math.abs((kept[0]?.observedAt?.getTime() ?? 0) - seen.getTime())).toBeLessThan(2000)
  await writeRecords(server)
  const written = await record(eventUid)
  expect(written).toMatchObject({
    arrived_late: 3,
    record: { people: { end: { unknown: 4, danger: 0 } }, late: { records: 0 } },
  })
  const { entries: lines } = await manager(listTimeline, {
    params: { eventUid },
    query: { show: 'all', action: 'late_record' },
  })
  expect(lines.map(({ what }) => what)).toEqual([
    expect.stringMatching(/^Arrived after the end: .*: In Danger, Tower A - Ground$/),
    expect.stringMatching(/^Arrived after the end: .*, Tower A - Ground$/),
    expect.stringMatching(/^Arrived after the end: .* refuses to leave, Tower A - Ground$/),
  ])
})

test('AAR-22 AAR-05 what arrived is listed beside the figures, and its names are a call of their own that is journaled', async ({
  server,
}) => {
  const { late, send, eventUid, org, persons, manager, record } = await givenLate(server)
  await writeRecords(server)
  const { record: before } = await record(eventUid)
  await send(
    [
      late(),
      late({ kind: 'floorStatus', person: undefined, status: undefined, floor_status: org.statusUids[1] }),
      late({ kind: 'refusal', status: undefined, refused: true }),
      late({ floor: undefined, status: 'safe' }),
    ].map((one) => JSON.parse(JSON.stringify(one)) as LateRecord),
  )

  const after = await record(eventUid)

  expect(after.record).toEqual(before)
  expect(after.late_records.map(({ about, what }) => [about, what])).toEqual([
    ['A person on Tower A - Ground', 'In Danger'],
    ['Tower A - Ground', expect.any(String)],
    ['A person on Tower A - Ground', 'Refuses to leave'],
    ['A person', 'Safe'],
  ])
  expect(after.late_records[0]).toMatchObject({ by: expect.stringMatching(/^Ada /), role: 'Floor Warden' })
  for (const { seen_at, arrived_at } of after.late_records) expect(`${seen_at}` < arrived_at).toBe(true)
  const seen = async () =>
    (await server.journalOf(eventUid)).flatMap(({ action, after }) => (action === 'record_names_seen' ? [after] : []))
  expect(await seen()).toEqual([])
  const { people } = await manager(listNames, { params: { eventUid }, body: { list: 'late' } }, withKey())
  expect(people.map(({ person }) => person)).toEqual([persons[0]])
  expect(await seen()).toMatchObject([{ list: 'late', people: 1 }])
})

test('AAR-22 AAR-02 AAR-42 of what arrived a reader sees their own places, and of a deleted event the number', async ({
  server,
}) => {
  const { late, send, eventUid, org } = await givenLate(server)
  await writeRecords(server)
  const [ground, second] = org.floors
  await send([late(), late({ floor: second })])
  const modules = ['Module_Event_Records'] as const
  const officer = await server.as(await server.given.warden(org, { floorUid: second, modules: [...modules] }))
  const read = () => officer(getRecord, { params: { eventUid } })

  const own = await read()
  await server.db.updateTable('eventRecord').set({ reducedAt: new Date() }).where('eventUid', '=', eventUid).execute()

  expect(ground).not.toBe(second)
  expect(own.arrived_late).toBe(2)
  expect(own.late_records.map(({ about }) => about)).toEqual(['A person on Tower A - Level 1'])
  expect(await read()).toMatchObject({ arrived_late: 2, late_records: [] })
})

test('AAR-22 a record is kept once, however often and however many at once it is sent', async ({ server }) => {
  const { late, send, entries } = await givenLate(server)
  const [one, two] = [late(), late({ status: 'safe' })]

  const answers = await Promise.all(
    Array.from({ length: 12 }, (_, nth) => send(nth % 2 === 0 ? [one, two] : [two, one, one])),
  )

  for (const { kept, refused: none } of answers) {
    expect(kept.toSorted()).toEqual([one.key, two.key].toSorted())
    expect(none).toEqual([])
  }
  expect(await entries()).toHaveLength(2)
})

test('AAR-22 what the server took during the event is not kept again', async ({ server }) => {
  const at = await givenDrilled(server)
  const eventUid = await at.start()
  const { call } = await at.warden()
  const key = randomUUID()
  const body = { personId: at.persons[0] as never, status: 'safe', floorId: at.org.floors[0] }
  await call(setPersonStatus, { body }, { headers: { 'idempotency-key': key } })
  const seen = new Date().toISOString()
  const signInUid = (await server.signInOf(eventUid, at.ada))?.uid as never
  await at.end()

  const records = [
    { kind: 'personStatus', key, observed_at: seen, person: at.persons[0], status: 'safe' } as LateRecord,
  ]
  expect(await call(sendLateRecords, { body: { WardenSignInUID: signInUid, records } })).toEqual({
    kept: [key],
    refused: [],
  })
  const late = await server.db
    .selectFrom('journal')
    .select('position')
    .where('eventUid', '=', eventUid)
    .where('action', '=', 'late_record')
    .execute()
  expect(late).toEqual([])
})

test('AAR-22 outside of the event, off duty, without the module, about others and after 72 h nothing is kept', async ({
  server,
}) => {
  const { late, send, entries, seen, eventUid, org } = await givenLate(server)
  await server.db
    .updateTable('wardenRole')
    .set({ modules: ['Floor_Evacuation'] })
    .where('clientUid', '=', org.clientUid)
    .execute()
  const abroad = await server.given.organisation()
  const [stranger] = await server.given.occupants(abroad, 1)
  const cases: [LateRecord, string][] = [
    [late({ observed_at: new Date(seen.getTime() - 3_600_000).toISOString() }), 'no_event'],
    [late({ observed_at: new Date(Date.now() + 60_000).toISOString() }), 'no_event'],
    [late({ person: stranger }), 'not_found'],
    [late({ floor: abroad.floors[0] }), 'not_found'],
    [late({ status: 'fine' }), 'invalid_request'],
    [late({ kind: 'wardenStatus' }), 'forbidden'],
  ]
  const answer = await send(cases.map(([record]) => record))
  expect(answer).toEqual({ kept: [], refused: cases.map(([{ key }, error]) => ({ key, error })) })

  // a phone whose clock is an hour ahead says how long ago it was
  const ahead = 3_600_000
  const wrongClock = late({ observed_at: new Date(seen.getTime() + ahead).toISOString() })
  expect((await send([wrongClock], undefined, new Date(Date.now() + ahead))).kept).toEqual([wrongClock.key])

  await server.database.owner.pg.query(
    `update event set ended_at = ended_at - interval '73 hours', started_at = started_at - interval '100 hours' where uid = $1`,
    [eventUid],
  )
  const old = late({ observed_at: new Date(seen.getTime() - 73.5 * 3_600_000).toISOString() })
  expect((await send([old])).refused).toEqual([{ key: old.key, error: 'no_event' }])
  expect(await entries()).toHaveLength(1)
})

test('AAR-22 records are kept for the own participation only, and not while the event runs', async ({ server }) => {
  const at = await givenDrilled(server)
  const eventUid = await at.start()
  const { call } = await at.warden()
  const signInUid = (await server.signInOf(eventUid, at.ada))?.uid as never
  const record = {
    kind: 'personStatus',
    key: randomUUID(),
    observed_at: new Date().toISOString(),
    person: at.persons[0],
    status: 'safe',
  } as LateRecord
  const send = (by = call, uid = signInUid) =>
    by(sendLateRecords, { body: { WardenSignInUID: uid, records: [record] } })

  expect(await send()).toEqual({ kept: [], refused: [{ key: record.key, error: 'invalid_transition' }] })
  expect(await refused(send(at.manager))).toEqual(['not_found'])
  expect(await refused(send(call, randomUUID() as never))).toEqual(['not_found'])
})

test('AAR-22: only what someone saw while they were on duty is kept, also by one who has gone off duty since', async ({
  server,
}) => {
  const at = await givenDrilled(server)
  const eventUid = await at.start()
  const beforeDuty = new Date().toISOString()
  await new Promise((resolve) => setTimeout(resolve, 20))
  const { call } = await at.warden()
  const onDuty = await databaseTime(server)
  const signInUid = (await server.signInOf(eventUid, at.ada))?.uid as never
  await call(logout, {})
  const offDuty = await databaseTime(server)
  await at.end()
  const again = await server.as(at.ada)
  const recordSeen = (observed_at: string) =>
    ({ kind: 'personStatus', key: randomUUID(), observed_at, person: at.persons[0], status: 'safe' }) as LateRecord
  const [early, good, late] = [recordSeen(beforeDuty), recordSeen(onDuty), recordSeen(offDuty)]

  expect(await again(sendLateRecords, { body: { WardenSignInUID: signInUid, records: [early, good, late] } })).toEqual({
    kept: [good.key],
    refused: [early, late].map(({ key }) => ({ key, error: 'not_on_duty' })),
  })
})

test('AAR-22: a report-in link keeps records of its own participation only', async ({ server }) => {
  const { eventUid, ada, start, late, signInUid } = await givenLate(server)
  const next = await start()
  const ofNext = (await server.signInOf(next, ada))?.uid as never
  expect(next).not.toBe(eventUid)
  const linked = await server.as(ada, { signInUid: ofNext })

  expect(await refused(linked(sendLateRecords, { body: { WardenSignInUID: signInUid, records: [late()] } }))).toEqual([
    'not_found',
  ])
})

/** The clock that counts, as a phone whose clock is right would tell it. */
async function databaseTime({ database: { owner } }: TestServer): Promise<string> {
  const { rows } = await owner.pg.query<{ at: Date }>('select clock_timestamp() as at')
  return `${rows[0]?.at.toISOString()}`
}
