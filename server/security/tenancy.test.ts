import type pg from 'pg'
import { expect } from 'vitest'
import { listReportInCards } from '#features/duty/calls/report-in.ts'
import { getFloorData, listOccupants, searchOccupants } from '#features/evacuation/calls/evacuation.ts'
import { createEvent, listEventSites } from '#features/events/calls/events.ts'

import { startInput } from '../testing/event-input.ts'
import { test } from '../testing/server-test.ts'
import type { TestServer } from '../testing/test-server.ts'

import { fullOrganisation } from './full-organisation.fixture.ts'

/** Runs the work as the app would: as `evac_app`, limited to the given clients. Rolls back at the end. */
async function asApp<T>(
  { database }: TestServer,
  clients: readonly string[] | null,
  work: (client: pg.PoolClient) => Promise<T>,
) {
  const client = await database.tenant.pg.connect()
  try {
    await client.query('begin')
    if (clients) await client.query(`set local app.clients = '${clients.join(',')}'`)
    return await work(client)
  } finally {
    await client.query('rollback')
    client.release()
  }
}

/** Tables with tenants' data, read from the database's catalogue. */
async function tenantTables({ database }: TestServer): Promise<string[]> {
  const { rows } = await database.owner.pg.query<{ name: string }>(`
    select table_name as name from information_schema.columns
    where table_schema = 'public' and column_name = 'client_uid' order by 1`)
  return rows.map(({ name }) => name)
}

const countIn = async (client: pg.PoolClient | pg.Pool, table: string, clientUid: string) => {
  const { rows } = await client.query(`select count(*) as n from ${table} where client_uid = $1`, [clientUid])
  return rows[0].n as number
}

test('AUTH-04 T1 every tenant table has row-level security for the app', async ({ server }) => {
  const { rows } = await server.database.owner.pg.query<{ name: string }>(`
    select c.relname as name from pg_class c
    where c.relnamespace = 'public'::regnamespace and c.relkind = 'r' and c.relrowsecurity
      and exists (select from pg_policies p where p.tablename = c.relname and 'evac_app' = any (p.roles) and p.cmd = 'ALL')
    order by 1`)

  const secured = rows.map(({ name }) => name)
  const tables = await tenantTables(server)
  expect(tables.length).toBeGreaterThan(20)
  expect(secured).toEqual(expect.arrayContaining([...tables, 'client']))
})

test('AUTH-04 T1 the policies of all tables use the same subquery, so that rows are not estimated twice', async ({
  server,
}) => {
  const { rows } = await server.database.owner.pg.query<{ asked: string }>(`
    select distinct replace(qual, 'client_uid', 'uid') as asked from pg_policies where 'evac_app' = any (roles)`)

  expect(rows).toEqual([{ asked: expect.stringMatching(/^\(uid = ANY \(\( SELECT .*app\.clients/) }])
})

test('AUTH-04 T1 with the app set to one client, no row of another can be read or changed in any table', async ({
  server,
}) => {
  const [mine, theirs] = [await fullOrganisation(server), await fullOrganisation(server)]
  const [own, other] = [mine.org.clientUid, theirs.org.clientUid]
  const tables = await tenantTables(server)
  const empty: string[] = []

  for (const table of tables) {
    if ((await countIn(server.database.system.pg, table, other)) === 0) empty.push(table)
    const seen = await asApp(server, [own], async (client) => [
      await countIn(client, table, own),
      await countIn(client, table, other),
    ])
    expect([table, seen]).toEqual([table, [await countIn(server.database.system.pg, table, own), 0]])
    // the journal, its log and records allow no update at all, nor what a worker has found; a link can be revoked alone
    const change = `update ${table} set client_uid = client_uid where client_uid = '${other}'`
    const changed = asApp(server, [own], async (client) => (await client.query(change)).rowCount)
    const kept = [
      'arrival_pack',
      'arrival_pack_reader',
      'former_address',
      'hazard',
      'head_log',
      'journal',
      'log_person',
      'log_tile',
      'observer_link',
      'plan_notice',
      'plan_seen',
      'push_phone',
      'ring',
      'sign_in_change',
      'self_link',
      'self_report',
      'self_report_more',
      'self_report_page',
      'upload_change',
      'upload_problem',
      'wall_link',
      'warden_absence',
      'warden_contact',
    ]
    if (table.includes('record') || kept.includes(table)) await expect(changed).rejects.toMatchObject({ code: '42501' })
    else expect([table, await changed]).toEqual([table, 0])
  }

  expect(empty).toEqual([])
})

test('AUTH-04 T1 no row can be moved into, or created in, another client', async ({ server }) => {
  const [mine, theirs] = [await fullOrganisation(server), await fullOrganisation(server)]
  const [own, other] = [mine.org.clientUid, theirs.org.clientUid]

  for (const table of await tenantTables(server)) {
    // as authority writes, so that the database itself refuses
    const move = `/* authority */ update ${table} set client_uid = '${other}' where client_uid = '${own}'`
    await expect(asApp(server, [own], (client) => client.query(move))).rejects.toMatchObject({ code: '42501' })
  }
  for (const make of [
    `insert into client (code, name) values ('new', 'New')`,
    `insert into person (client_uid, code, first_name, last_name) values ('${other}', 'X', 'X', 'X')`,
    `insert into journal (client_uid, action, subject_type, subject_uid) values ('${other}', 'x', 'event', '${theirs.eventUid}')`,
  ])
    await expect(asApp(server, [own], (client) => client.query(make))).rejects.toMatchObject({ code: '42501' })
})

test('AUTH-04 T1 without a client set, the app sees no rows', async ({ server }) => {
  await fullOrganisation(server)

  for (const table of [...(await tenantTables(server)), 'client'])
    for (const clients of [null, []]) {
      const rows = await asApp(
        server,
        clients,
        async (client) => (await client.query(`select * from ${table}`)).rowCount,
      )
      expect([table, rows]).toEqual([table, 0])
    }
})

test('AUTH-07 T23 the app can neither change nor delete a journal entry, nor delete records of what happened', async ({
  server,
}) => {
  const { org } = await fullOrganisation(server)

  for (const statement of [
    `update journal set action = 'x'`,
    'delete from journal',
    'truncate journal',
    'delete from event',
    'delete from evacuee',
    'delete from warden_sign_in',
    'delete from message',
    'delete from session',
    'drop table journal',
    'alter table journal disable row level security',
  ])
    await expect(asApp(server, [org.clientUid], (client) => client.query(statement))).rejects.toMatchObject({
      code: '42501',
    })
})

test('T1 the app can neither see who signs in nor assume a role that can', async ({ server }) => {
  const { org } = await fullOrganisation(server)
  const { rows } = await server.database.owner.pg.query(
    `select rolsuper or rolbypassrls or rolcanlogin as mighty from pg_roles where rolname in ('evac_app', 'evac_system')`,
  )

  for (const table of [
    ...['account', 'mobile_token', 'throttle', 'recent_attempt', 'simulated_text', 'feed_epoch'],
    ...['second_factor', 'recovery_code', 'console_ticket', 'console_session'],
  ])
    await expect(
      asApp(server, [org.clientUid], (client) => client.query(`select * from ${table}`)),
    ).rejects.toMatchObject({ code: '42501' })
  expect(rows).toEqual([{ mighty: false }, { mighty: false }])
})

test('T1 rows of two clients cannot reference each other: every foreign key includes the client', async ({
  server,
}) => {
  const { rows } = await server.database.owner.pg.query<{ name: string }>(`
    with tenant as (
      select c.oid, a.attnum from pg_class c join pg_attribute a on a.attrelid = c.oid and a.attname = 'client_uid'
      where c.relnamespace = 'public'::regnamespace and c.relkind = 'r'
    )
    select k.conname as name from pg_constraint k
    join tenant here on here.oid = k.conrelid
    join tenant there on there.oid = k.confrelid
    where k.contype = 'f' and not (here.attnum = any (k.conkey) and there.attnum = any (k.confkey))`)

  expect(rows).toEqual([])
})

test('AUTH-04 T1 two organisations with the same names see only their own data', async ({ server }) => {
  const [one, two] = [await fullOrganisation(server), await fullOrganisation(server)]
  const view = async ({ call, manager }: typeof one) =>
    JSON.stringify([
      await call(getFloorData, {}),
      await call(listOccupants, { query: {} }),
      await call(searchOccupants, { params: { text: 'kim' } }),
      await call(listReportInCards, { query: { signInMethod: 'Email' } }),
      await manager(listEventSites, {}),
    ])
  const uidsOf = ({ org, warden, person, eventUid }: typeof one) =>
    [...Object.values(org), ...Object.values(warden), person, eventUid]
      .flat()
      .filter((value) => /^[0-9a-f-]{36}$/.test(value))

  const [first, second] = [await view(one), await view(two)]

  expect(uidsOf(two).filter((uid) => first.includes(uid))).toEqual([])
  expect(uidsOf(one).filter((uid) => second.includes(uid))).toEqual([])
  expect(uidsOf(one).filter((uid) => first.includes(uid)).length).toBeGreaterThan(5)
})

test('AUTH-04 T1 an event in one organisation does not exist in another with the same name', async ({ server }) => {
  const { org } = await fullOrganisation(server)
  const twin = await server.given.organisation({ name: org.name, siteName: org.siteName })
  const chief = await server.as(await server.given.warden(twin, { role: 'Chief Warden' }))

  expect(await chief(getFloorData, {})).toMatchObject({ error: 'no_event' })
  expect(await chief(createEvent, startInput(twin))).toMatchObject({ status: 'event_created' })
})
