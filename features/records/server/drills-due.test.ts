import { sql } from 'kysely'
import { expect } from 'vitest'
import { test } from '#server/testing/server-test.ts'
import { withKey } from '#server/testing/test-server.ts'
import { addToRecord } from '../calls/additions.ts'
import { listDrillsDue } from '../calls/records.ts'
import { givenDrilled, writeRecords } from './records.fixture.ts'
import { shiftOf, shiftsOf } from './shifts.ts'

test('AAR-38 each building has its last drill and the days to its next one; overdue ones first, then never drilled', async ({
  server,
}) => {
  const { org, start, end, manager } = await givenDrilled(server)
  await server.db.updateTable('site').set({ drillEveryDays: 90 }).where('uid', '=', org.siteUid).execute()
  await start({ announced: 'no' })
  await end()
  await writeRecords(server)
  const due = async () => (await manager(listDrillsDue, { query: {} })).due.map(({ name, due_in }) => [name, due_in])

  expect(await due()).toEqual([
    ['Tower B', null],
    ['Tower A', 90],
  ])
  expect((await manager(listDrillsDue, { query: {} })).unannounced).toEqual({ drills: 1, unannounced: 1 })
  // days of the site: a clock change in between is no day
  await sql`update event_record r set began_at = ((now() at time zone st.timezone) - interval '100 days') at time zone st.timezone
    from site st where st.client_uid = r.client_uid and st.uid = r.site_uid`.execute(server.db)
  expect(await due()).toEqual([
    ['Tower B', null],
    ['Tower A', -10],
  ])
})

test('AAR-38 a live event counts once its outcome is Emergency or False alarm, and no longer when that is corrected', async ({
  server,
}) => {
  const { start, end, manager } = await givenDrilled(server)
  const eventUid = await start({ kind: 'live' })
  await end()
  await writeRecords(server)
  const outcome = (outcome: 'Emergency' | 'Precaution') =>
    manager(addToRecord, { params: { eventUid }, body: { kind: 'outcome', body: { outcome } } }, withKey())
  const towerA = async () =>
    (await manager(listDrillsDue, { query: {} })).due.find(({ name }) => name === 'Tower A')?.due_in

  expect(await towerA()).toBeNull()
  await outcome('Emergency')
  expect(await towerA()).toBe(365)
  await outcome('Precaution')
  expect(await towerA()).toBeNull()
})

test('AAR-38 a site with shifts has a line for each of them', async ({ server }) => {
  const { org, start, end, manager } = await givenDrilled(server)
  await server.db.updateTable('site').set({ drillShifts: '07:00;15:00;23:00' }).where('uid', '=', org.siteUid).execute()
  await start()
  await end()
  await writeRecords(server)
  // 10:00 in Sydney
  await server.db
    .updateTable('eventRecord')
    .set({ beganAt: new Date('2026-06-01T00:00:00Z') })
    .execute()

  const { due } = await manager(listDrillsDue, { query: {} })

  expect(due.filter(({ name }) => name === 'Tower A').map(({ shift, last }) => [shift, last])).toEqual(
    expect.arrayContaining([
      ['07:00 to 15:00', '2026-06-01'],
      ['15:00 to 23:00', null],
      ['23:00 to 07:00', null],
    ]),
  )
})

test('RESP-11 AAR-38 drills count by what people do, where types of more than one group are in use', async ({
  server,
}) => {
  const { org, start, end, manager } = await givenDrilled(server)
  const lines = async () =>
    (await manager(listDrillsDue, { query: {} })).due
      .filter(({ name }) => name === 'Tower A')
      .map(({ action, due_in }) => [action, due_in])
  await start()
  await end()
  await writeRecords(server)
  expect(await lines()).toEqual([[undefined, 365]])

  await server.db
    .updateTable('eventType')
    .set({ action: 'lockdown' })
    .where('uid', '=', org.otherEventTypeUid)
    .execute()
  expect(await lines()).toEqual([
    ['Lockdown', null],
    ['Evacuate', 365],
  ])
  await start({ eventType: org.otherEventTypeUid })
  await end()
  await writeRecords(server)
  expect(await lines()).toEqual(
    expect.arrayContaining([
      ['Evacuate', 365],
      ['Lockdown', 365],
    ]),
  )
})

test('AAR-38 a shift goes over midnight', () => {
  const shifts = shiftsOf('07:00;15:00;23:00')

  expect([0, 6 * 60 + 59, 7 * 60, 23 * 60].map((minute) => shiftOf(shifts, minute)?.name)).toEqual([
    ...['23:00 to 07:00', '23:00 to 07:00', '07:00 to 15:00', '23:00 to 07:00'],
  ])
  expect(shiftsOf('')).toEqual([])
})
