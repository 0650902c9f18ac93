import { sql } from 'kysely'
import { expect } from 'vitest'
import { called, choose, stateOf } from '#features/reach/server/reach.fixture.ts'
import type { OutgoingCall } from '#features/texts/server/sms-gateway.ts'
import type { Tx } from '#server/platform/db/db.ts'
import { test } from '#server/testing/server-test.ts'
import type { TestServer } from '#server/testing/test-server.ts'
import { claimCalls } from './calling.queries.ts'
import { byCall, callAfter, linesOf, makeCalls, newNumber, phoneOf, setSecond } from './voice.fixture.ts'

/** A provider that takes each call, and what it was asked. */
function provider() {
  const taken: OutgoingCall[] = []
  const call = async (one: OutgoingCall) => {
    taken.push(one)
    return { gateway: 'other', providerIds: [`CA${one.reference}`] as const }
  }
  return { gateway: { call }, taken }
}
/** As if so many seconds had passed since the phones began to ring, or a worker took a call. */
const letRing = ({ db }: TestServer, seconds: number) =>
  sql`update ring set changed_at = changed_at - make_interval(secs => ${seconds}),
    lease_until = lease_until - make_interval(secs => ${seconds}) where to_mobile is not null`.execute(db)

/** Ann, Bob and Cas are called at once, by the event's own organisation alone. */
async function ringing(server: TestServer, over: Parameters<typeof callAfter>[3] = {}) {
  await server.db.updateTable('ring').set({ status: 'skipped' }).where('toMobile', 'is not', null).execute()
  const c = await called(server, byCall('report_in'))
  await callAfter(server, c, 61, over)
  return c
}

test('LADDER-04 a phone that rings out or declines brings the second number at once', async ({ server }) => {
  const c = await called(server, byCall('report_in'), {
    before: async ({ ann, bob }) => {
      await setSecond(server, ann, newNumber())
      await setSecond(server, bob, newNumber())
    },
  })
  await callAfter(server, c, 61)
  await phoneOf(server, c.ann.mobile).decline()
  await callAfter(server, c, 0)
  expect(await linesOf(server, c.ann)).toEqual(['call failed: No answer.', 'second_call handed_over: '])
  expect(await linesOf(server, c.bob)).toEqual(['call handed_over: '])

  await letRing(server, 26)
  await makeCalls(server)
  await callAfter(server, c, 0)

  expect(await linesOf(server, c.bob)).toEqual(['call failed: No answer.', 'second_call handed_over: '])
})

test('LADDER-04 a text that failed brings the call at once', async ({ server }) => {
  const c = await called(server, byCall('report_in'))
  await callAfter(server, c, 1)
  expect(await linesOf(server, c.ann)).toEqual([])

  await server.db
    .updateTable('sms')
    .set({ status: 'failed', reason: 'The number is not in service.' })
    .where('personUid', '=', c.ann.personUid)
    .execute()
  await callAfter(server, c, 0)

  expect(await linesOf(server, c.ann)).toEqual(['call handed_over: '])
  expect(await linesOf(server, c.bob)).toEqual([])
})

test('LADDER-05 calls have a budget of their own, and a limit for one person', async ({ server }) => {
  const troubles: unknown[] = []
  const c = await ringing(server, { ofDay: 0, onTrouble: (error) => troubles.push(error) })
  expect(await linesOf(server, c.ann)).toEqual(['call failed: The call budget for today is used up.'])
  expect(troubles.map(String)).toEqual(["Error: a client's budget for calls is used up: 3 calls were not made"])

  await server.db.updateTable('client').set({ dailyCalls: 1 }).where('uid', '=', c.org.clientUid).execute()
  const again = await called(server, { report_in: [0, 1].map((seconds) => ({ way: 'call', seconds }) as const) })
  await choose(server, again.org.clientUid, byCall('report_in'), { calls: 1 })
  await server.db
    .updateTable('person')
    .set({ secondMobile: newNumber() })
    .where('uid', '=', again.ann.personUid)
    .execute()
  await callAfter(server, again, 61)
  await phoneOf(server, again.ann.mobile).decline()
  await callAfter(server, again, 0)

  expect(await linesOf(server, again.ann)).toEqual([
    'call failed: No answer.',
    'second_call skipped: The most calls for one person have been made.',
  ])
})

test('LADDER-05 eight workers at once call each number once, and never more than the budget has', async ({
  server,
}) => {
  const c = await called(server, byCall('report_in'))
  const people = await server.given.occupants(c.org, 60)
  await sql`
    with one as (
      insert into reach (client_uid, event_uid, class, about, person_uid, step, next_at)
      select ${c.org.clientUid}, ${c.eventUid}, 'report_in', p, p, 1, 'infinity' from unnest(${people}::uuid[]) as p
      returning *
    )
    insert into ring (client_uid, event_uid, reach_uid, way, status, to_mobile, say, claimed_until, valid_until)
    select one.client_uid, one.event_uid, one.uid, 'call', 'queued', '6139000' || (1000 + (row_number() over ()) / 2), 'Come.', 'infinity', now() + interval '10 minutes'
    from one`.execute(server.db)
  const { gateway, taken } = provider()

  await Promise.all(
    Array.from({ length: 8 }, () => makeCalls(server, { gateway, ofDay: 25, onTrouble: () => undefined })),
  )

  expect(taken).toHaveLength(25)
  expect(new Set(taken.map(({ to }) => to)).size).toBe(25)
})

test('LADDER-05 a number rings three times an hour at most', async ({ server }) => {
  const c = await ringing(server)
  const before = Array.from({ length: 3 }, () => ({ status: 'failed', calledAt: new Date() }))
  const [first] = await server.db.selectFrom('ring').selectAll().where('toMobile', '=', c.ann.mobile).execute()
  if (!first) throw new Error('no call')
  const { clientUid, eventUid, reachUid, way, toMobile, say } = first
  const same = { clientUid, eventUid, reachUid, way, toMobile, say }
  for (const one of before)
    await server.db
      .insertInto('ring')
      .values(Object.assign({}, same, one))
      .execute()
  await phoneOf(server, c.ann.mobile).decline()
  const inTime = { status: 'queued', validUntil: new Date(Date.now() + 60_000), claimedUntil: sql<Date>`'infinity'` }
  await server.db
    .insertInto('ring')
    .values(Object.assign({}, same, inTime))
    .execute()

  await makeCalls(server)

  expect(await linesOf(server, c.ann)).toContain('call failed: The number was called three times within an hour.')
  expect(await phoneOf(server, c.ann.mobile).shown()).toBeNull()
})

test('LADDER-03 LADDER-10 a worker killed while it claims has called no one, and one killed after it loses none', async ({
  server,
}) => {
  const c = await ringing(server, { limits: { perSecond: 0, atOnce: 0 } })
  const killed = server.db.transaction().execute(async (trx) => {
    await claimCalls(trx as Tx, 10)
    const { rows } = await sql<{ pid: number }>`select pg_backend_pid() as pid`.execute(trx)
    await server.database.owner.pg.query('select pg_terminate_backend($1)', [rows[0]?.pid])
    await sql`select 1`.execute(trx)
  })
  await expect(killed).rejects.toThrow()

  // killed between the claim and the provider: nothing comes of it until its lease ends
  const { gateway, taken } = provider()
  void makeCalls(server, { gateway: { call: () => new Promise(() => undefined) } })
  await expect
    .poll(
      async () =>
        (await server.db.selectFrom('ring').selectAll().where('toMobile', '=', c.ann.mobile).execute())[0]?.attempts,
    )
    .toBe(1)
  await makeCalls(server, { gateway })
  expect(taken).toEqual([])
  await letRing(server, 21)
  await Promise.all([makeCalls(server, { gateway }), makeCalls(server, { gateway })])

  expect(taken.map(({ to }) => to).sort()).toEqual([c.ann, c.bob, c.cas].map(({ mobile }) => mobile).sort())
  const { rows } = await sql<{ segments: number }>`
    select segments from sms_spend where client_uid = ${c.org.clientUid} and pot = 'calls'`.execute(server.db)
  expect(rows).toEqual([{ segments: 3 }])
})

test('LADDER-03 who has answered before the phone rings is not called', async ({ server }) => {
  const c = await ringing(server, { limits: { perSecond: 0, atOnce: 0 } })
  await server.onDuty(c.ann)
  await callAfter(server, c, 0)

  expect(await stateOf(server, c.ann)).toMatchObject({ state: 'answered' })
  expect(await linesOf(server, c.ann)).toEqual(['call skipped: No longer asked.'])
  expect(await linesOf(server, c.bob)).toEqual(['call handed_over: '])
})

test('LADDER-11 a worker begins so many calls a second, and has so many at once', async ({ server }) => {
  const c = await ringing(server, { limits: { perSecond: 1, atOnce: 9 } })
  const ringingNow = async () =>
    (await Promise.all([c.ann, c.bob, c.cas].map((one) => phoneOf(server, one.mobile).shown()))).filter(Boolean).length

  expect(await ringingNow()).toBe(1)
  await makeCalls(server, { limits: { perSecond: 1, atOnce: 9 } })
  expect(await ringingNow()).toBe(2)
})
