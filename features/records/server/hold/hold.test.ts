import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import { test as base, expect } from 'vitest'
import { claimEndedEvent, countOlder, isHeldNow } from '#features/operation/server/retention/retention.queries.ts'
import { forget } from '#features/operation/server/retention/retention.service.ts'
import type { EventUid } from '#kernel/ids.ts'
import { bundleNow } from '#server/testing/event-log.ts'
import { refused } from '#server/testing/refused.ts'
import { startTestServer, type TestServer, withKey } from '#server/testing/test-server.ts'
import { holdRecord } from '../../calls/hold.ts'
import { getRecord, listRecords } from '../../calls/records.ts'
import { givenRecord } from '../records.fixture.ts'

/** A server of its own for each test: what is deleted, is deleted everywhere. */
// biome-ignore lint/correctness/noEmptyPattern: a fixture names what it needs, and this one needs nothing
const test = base.extend('server', async ({}, { onCleanup }) => {
  const server = await startTestServer()
  onCleanup(() => server[Symbol.asyncDispose]())
  return server
})

const reason = 'The coroner asks for it.'
type Call = Awaited<ReturnType<TestServer['as']>>
const holding =
  (call: Call, eventUid: EventUid) =>
  (hold: boolean, why = reason) =>
    call(holdRecord, { params: { eventUid }, body: { hold, reason: why } }, withKey())
/** Everything of the event is so many days older. */
async function age({ db, database }: TestServer, eventUid: EventUid, days = 500) {
  await sql`update event set ended_at = ended_at - make_interval(days => ${days}) where uid = ${eventUid}`.execute(db)
  await sql`update event_record set ended_at = ended_at - make_interval(days => ${days}) where event_uid = ${eventUid}`.execute(
    db,
  )
  await database.owner.pg.query(
    'update journal set recorded_at = recorded_at - make_interval(days => $2) where event_uid = $1',
    [eventUid, days],
  )
}
/** A rows' count of each table that has the event. */
async function rowsOf({ database: { owner } }: TestServer, eventUid: EventUid) {
  const { rows: tables } = await sql<{ name: string }>`
    select table_name as name from information_schema.columns
    where table_schema = 'public' and column_name = 'event_uid' order by 1`.execute(owner.db)
  const counts: Record<string, number> = {}
  for (const { name } of tables) {
    const { rows } = await sql<{ n: number }>`
      select count(*)::int as n from ${sql.table(name)} where event_uid = ${eventUid}`.execute(owner.db)
    counts[name] = rows[0]?.n ?? 0
  }
  return counts
}
const everyDay = { messages: 90, events: 365, audit: 400 }

test('AAR-42: a hold with a reason keeps everything of an event from each retention until it is lifted', async ({
  server,
}) => {
  const { eventUid, manager, org } = await givenRecord(server)
  const hold = holding(manager, eventUid)
  expect(await hold(true)).toEqual({ hold: true })
  await age(server, eventUid)
  const before = await rowsOf(server, eventUid)
  const days = { retainEventsDays: 365, retainAuditDays: 400, retainMessagesDays: 90 }
  await server.db.updateTable('client').set(days).where('uid', '=', org.clientUid).execute()

  expect(await forget(server.database.system, { ...everyDay, records: 400 })).toMatchObject({
    messages: 0,
    events: 0,
    records: 0,
  })
  expect(await rowsOf(server, eventUid)).toEqual(before)
  for (const kind of ['messages', 'events', 'audit'] as const)
    expect(await countOlder(server.database.system.db, org.clientUid, kind, 90)).toBe(0)
  const shown = await manager(getRecord, { params: { eventUid } })
  expect(shown).toMatchObject({ hold: true, state: 'ready' })
  expect(shown.additions.map(({ kind, body }) => [kind, body])).toEqual([['hold', { hold: true, reason }]])

  expect(await hold(false, 'The inquest is over.')).toEqual({ hold: false })
  expect(await forget(server.database.system, everyDay)).toMatchObject({ events: 1 })
  expect(await manager(getRecord, { params: { eventUid } })).toMatchObject({ hold: false, state: 'reduced' })
})

test('AAR-42, AAR-45: a hold needs both flags, reach of all buildings and a reason', async ({ server }) => {
  const { eventUid, manager, org } = await givenRecord(server)
  const [, floorUid] = org.floors
  const as = async (over: object) => holding(await server.as(await server.given.warden(org, over)), eventUid)(true)
  expect(
    await refused(
      as({ modules: ['Module_Event_Records'], role: 'Chief Warden' }),
      as({ modules: ['Module_Event_Management'], role: 'Chief Warden' }),
      as({ modules: ['Module_Event_Records', 'Module_Event_Management'], floorUid }),
      holding(manager, randomUUID() as EventUid)(true),
      holding(manager, eventUid)(true, '   no   '),
    ),
  ).toEqual(['forbidden', 'forbidden', 'not_found', 'not_found', 'invalid_request'])
  expect(await manager(getRecord, { params: { eventUid } })).toMatchObject({ hold: false })
})

test('AAR-42: of many who hold at once one does, with one addition and one entry of the journal', async ({
  server,
}) => {
  const { eventUid, manager, org } = await givenRecord(server)
  const second = await server.as(await server.given.warden(org, { role: 'Chief Warden' }))

  const answers = await Promise.all(
    Array.from({ length: 8 }, (_, nth) => holding(nth % 2 ? second : manager, eventUid)(true)),
  )

  expect(answers).toEqual(Array.from({ length: 8 }, () => ({ hold: true })))
  const { additions } = await manager(getRecord, { params: { eventUid } })
  expect(additions.filter(({ kind }) => kind === 'hold')).toHaveLength(1)
  const entries = server.db.selectFrom('journal').select('after').where('eventUid', '=', eventUid)
  expect(await entries.where('action', '=', 'record_held').execute()).toMatchObject([{ after: { hold: true } }])
})

test('AAR-42: a hold that comes while the retention takes the event is seen, or waits for it', async ({ server }) => {
  const { eventUid, manager } = await givenRecord(server)
  await age(server, eventUid)
  const { db } = server.database.system
  let isDone = false
  const held = await db.transaction().execute(async (tx) => {
    expect(await claimEndedEvent(tx, { kind: 'events', days: 365 })).toMatchObject({ uid: eventUid })
    const waiting = holding(
      manager,
      eventUid,
    )(true).then(() => {
      isDone = true
    })
    await expect
      .poll(async () => (await sql`select from pg_locks where not granted`.execute(db)).rows.length)
      .toBeGreaterThan(0)
    expect([isDone, await isHeldNow(tx, { uid: eventUid } as never)]).toEqual([false, false])
    return { waiting }
  })
  await held.waiting

  expect(await forget(server.database.system, { events: 365 })).toMatchObject({ events: 0 })
})

test('AAR-42: a hold that comes between the look at an event and its lock keeps it', async ({ server }) => {
  const { eventUid } = await givenRecord(server)
  await age(server, eventUid)
  const { system, owner } = server.database
  // anyone who looks at an ended event waits for the test, after the statement has taken its view of the database
  await sql`create function pause() returns boolean language sql as 'select pg_advisory_xact_lock(74) is not null'`.execute(
    owner.db,
  )
  await sql`create policy pausing on event as restrictive to ${sql.id(await systemRole(server))}
    using (ended_at is null or pause())`.execute(owner.db)
  const holder = await owner.pg.connect()
  await holder.query('select pg_advisory_lock(74)')
  const before = await rowsOf(server, eventUid)

  const forgetting = forget(system, { events: 365 })
  await expect
    .poll(
      async () => (await owner.pg.query(`select from pg_locks where locktype = 'advisory' and not granted`)).rowCount,
    )
    .toBe(1)
  await owner.pg.query('update event_record set held = true where event_uid = $1', [eventUid])
  await holder.query('select pg_advisory_unlock(74)')
  holder.release()

  expect(await forgetting).toMatchObject({ events: 0 })
  expect(await rowsOf(server, eventUid)).toEqual(before)
})

/** The role that sees all rows, by the name that it has here. */
async function systemRole({ database: { owner } }: TestServer): Promise<string> {
  const { rows } = await owner.pg.query<{ role: string }>(
    `select r::text as role from pg_policies, unnest(roles) r where tablename = 'event' and policyname = 'everything'`,
  )
  return `${rows[0]?.role}`
}

/** Every row of every table as text, without those that another test or the installation needs. */
async function dump({ database: { owner } }: TestServer): Promise<string> {
  const { rows: tables } = await sql<{ name: string }>`
    select table_name as name from information_schema.tables where table_schema = 'public' and table_type = 'BASE TABLE'`.execute(
    owner.db,
  )
  const texts = await Promise.all(
    tables.map(async ({ name }) => {
      const { rows } = await sql<{ text: string | null }>`
        select string_agg(to_jsonb(t)::text, ' ') as text from ${sql.table(name)} t`.execute(owner.db)
      return `${name} ${rows[0]?.text ?? ''}\n`
    }),
  )
  return texts.join('')
}

test('AAR-42, SEAL-04, LOG-15: after retention of messages, then of the event, its record has no name, the log is INTACT, and an event under hold is untouched', async ({
  server,
}) => {
  const gone = await givenRecord(server, { days: 500 })
  const held = await givenRecord(server, { days: 500 })
  await holding(held.manager, held.eventUid)(true)
  const kept = await rowsOf(server, held.eventUid)
  // the manager's whole name: it stands where it was copied to
  const canary = `${gone.record?.started_by?.name}`
  const inTables = async () =>
    (await dump(server)).split('\n').flatMap((line) => (line.includes(canary) ? line.split(' ', 1) : []))
  expect(canary.length).toBeGreaterThan(8)
  expect(await inTables()).toContain('event_record')

  await forget(server.database.system, { messages: 90 })
  await forget(server.database.system, everyDay)

  const of = { clientUid: gone.org.clientUid, eventUid: gone.eventUid }
  using bundle = await bundleNow(server, of)
  const checked = await bundle.check()
  expect([checked.code, checked.lines.filter((line) => /^Erased: \d+ lines of people, event, /.test(line))]).toEqual([
    0,
    [expect.any(String)],
  ])
  expect(await gone.manager(getRecord, { params: { eventUid: gone.eventUid } })).toMatchObject({
    state: 'reduced',
    additions: [],
    reduced_at: expect.any(String),
  })
  // the person stays
  expect(await inTables()).toEqual(['person'])
  expect(await rowsOf(server, held.eventUid)).toEqual(kept)
})

test('AAR-42: RETAIN_RECORDS_DAYS leaves number, dates and head of a record whose event is deleted, and by default nothing is taken', async ({
  server,
}) => {
  const { eventUid, manager, record } = await givenRecord(server)
  await age(server, eventUid)
  const days = { events: 365, records: 400 }
  await forget(server.database.system, { records: 400 })
  expect((await manager(getRecord, { params: { eventUid } })).record).toEqual(record)
  await forget(server.database.system, { events: 365 })
  expect((await manager(getRecord, { params: { eventUid } })).record).not.toBeNull()
  await forget(server.database.system, { ...days, records: 600 })
  expect((await manager(getRecord, { params: { eventUid } })).record).not.toBeNull()

  const hold = holding(manager, eventUid)
  await hold(true)
  expect(await forget(server.database.system, days)).toMatchObject({ records: 0 })
  await hold(false)
  expect(await forget(server.database.system, days)).toMatchObject({ records: 1 })

  expect(await manager(getRecord, { params: { eventUid } })).toMatchObject({
    state: 'reduced',
    record: null,
    additions: [],
    number: 1,
    ended_at: expect.any(String),
  })
  expect((await manager(listRecords, { query: { q: '1' } })).records).toMatchObject([{ number: 1, result: null }])
  const heads = server.db.selectFrom('recordHead').select('size').where('eventUid', '=', eventUid)
  expect(await heads.execute()).not.toEqual([])
})
