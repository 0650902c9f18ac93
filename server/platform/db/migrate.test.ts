import { readFileSync } from 'node:fs'
import pg from 'pg'
import { expect, inject, test } from 'vitest'
import { reportIn } from '#features/duty/calls/report-in.ts'
import { getFloorData, setPersonStatus } from '#features/evacuation/calls/evacuation.ts'
import type { EventUid, FloorUid, PersonUid } from '#kernel/ids.ts'
import { openTestDatabase, type TestDatabase } from '../../testing/database.ts'
import { testPassword } from '../../testing/given-wardens.ts'
import { miscounted } from '../../testing/recount.ts'
import { startTestServer } from '../../testing/test-server.ts'
import { hashPassword } from '../passwords.ts'
import { listMigrationNames, listNewerMigrations, migrate } from './migrate.ts'

const firstData = readFileSync(new URL('../../testing/first-data.sql', import.meta.url), 'utf8')
/** The running event in the first version's data. */
const eventUid = 'ee000000-0000-4000-8000-000000000001' as EventUid
const floorUid = 'f0000000-0000-4000-8000-000000000001' as FloorUid
const amelia = 'e0000000-0000-4000-8000-000000000003' as PersonUid

/** The database after the third migration, with a row in every table. */
async function firstVersion() {
  const database = await openTestDatabase({ empty: true })
  await migrate(database.owner.db, '0003-journal-and-safety')
  await database.owner.pg.query(firstData)
  const password = await hashPassword(testPassword)
  await database.owner.pg.query('update account set password_hash = $1', [password])
  return database
}

/** Each row of each table, as stored. */
async function rowsOf({ owner }: TestDatabase) {
  const { rows: tables } = await owner.pg.query<{ name: string }>(
    `select relname as name from pg_class where relnamespace = 'public'::regnamespace and relkind = 'r'
     and relname not like 'kysely%' order by 1`,
  )
  const rows: Record<string, Record<string, unknown>[]> = {}
  for (const { name } of tables) {
    const read = await owner.pg.query(`select to_jsonb(t) as row from ${name} t order by to_jsonb(t)::text`)
    rows[name] = read.rows.map(({ row }) => row)
  }
  return rows
}

test('an upgrade from the first version keeps every row unchanged', async () => {
  await using database = await firstVersion()
  const before = await rowsOf(database)
  expect(Object.entries(before).filter(([, rows]) => rows.length === 0)).toEqual([])

  const run = await migrate(database.owner.db)

  expect(run).toEqual(listMigrationNames().slice(3))
  const after = await rowsOf(database)
  for (const [table, rows] of Object.entries(before))
    expect(after[table], table).toEqual(rows.map((row) => expect.objectContaining(upgraded(row))))
  expect(await migrate(database.owner.db)).toEqual([])
})

/** A text without an end gets one. Who manages events reads their records (AAR-01). */
const upgraded = (row: Record<string, unknown>) => ({
  ...row,
  ...(row.valid_until === null && { valid_until: expect.any(String) }),
  ...(Array.isArray(row.modules) &&
    row.modules.includes('Event_Management') && { modules: [...row.modules, 'Event_Records'] }),
})

test('a running event continues after the upgrade: sign in, report in, read the floor, mark', async () => {
  const database = await firstVersion()
  await migrate(database.owner.db)
  await using server = await startTestServer({}, database)
  const { access_token } = await server.signIn('grace@first.test')
  const grace = server.callWith(access_token)
  await grace(reportIn, {})

  const floor = await grace(getFloorData, {})
  await grace(setPersonStatus, { body: { personId: amelia, status: 'safe', floorId: floorUid } })

  expect(JSON.stringify(floor)).toContain('Tell in person')
  expect(await server.evacueeOf(eventUid, amelia)).toMatchObject({ status: 'safe' })
  expect(await miscounted(server.db, eventUid)).toEqual([])
})

test.for([
  { onDuty: true, leads: true },
  { onDuty: false, leads: false },
])(
  'CMD-01 the upgrade puts who started a running event in command, if they are on duty: $onDuty',
  async ({ onDuty, leads }) => {
    await using database = await firstVersion()
    const { pg: owner } = database.owner
    await owner.query(`
    update event set started_by_sign_in_uid = (select uid from warden_sign_in w where w.event_uid = event.uid limit 1)`)
    await owner.query(`
    update warden_sign_in set on_duty = ${onDuty}, not_available = false, closed_at = null
    where uid = (select started_by_sign_in_uid from event where uid = '${eventUid}')`)

    await migrate(database.owner.db)

    const { rows } = await owner.query(`
    select t.how, t.sign_in_uid is not null and t.sign_in_uid = e.started_by_sign_in_uid as leads, t.ended_at, t.began_at = e.started_at as since
    from command_turn t join event e on e.uid = t.event_uid where e.uid = '${eventUid}'`)
    expect(rows).toEqual([{ how: 'start', leads, ended_at: null, since: true }])
  },
)

test.for([
  ['Evacuation Drill', 'drill'],
  ['Site exercise, yearly', 'drill'],
  ['Fire', 'live'],
  ['Exercised machine', 'live'],
])(
  'KIND-01 KIND-03 the upgrade makes the type %s one for a %s event, and its running event live',
  async ([type, kind]) => {
    await using database = await firstVersion()
    await database.owner.pg.query('update event_type set type = $1', [type])

    await migrate(database.owner.db)

    const { rows } = await database.owner.pg.query(
      'select default_kind as type_kind, kind, announced from event_type cross join event',
    )
    expect(rows).toEqual([{ type_kind: kind, kind: 'live', announced: null }])
  },
)

test('NUM-06 an upgrade that rewrites a large table of people is refused while an event runs, and changes nothing', async () => {
  await using database = await firstVersion()
  await database.owner.pg.query(`
    insert into person (client_uid, uid, code, first_name, last_name)
    select client.uid, gen_random_uuid(), 'X' || i, 'Person', i::text from client, generate_series(1, 50000) i limit 50000`)

  await expect(migrate(database.owner.db)).rejects.toThrow(
    /^An event is running, .* upgrade when the event has ended\.$/,
  )
  await database.owner.pg.query('update event set ended_at = now()')
  expect(await migrate(database.owner.db)).toEqual(listMigrationNames().slice(3))
})

test('AAR-13 the upgrade marks the statuses Evacuated, Clear and Cleared as those that mean clear', async () => {
  await using database = await firstVersion()
  await database.owner.pg.query(`insert into floor_status (client_uid, code, name, colour, display_order)
    select (select uid from client limit 1), code, name, 'green', 5 from (values ('X1', 'Evacuated'), ('X2', 'CLEAR '),
      ('X3', 'cleared'), ('X4', 'Not clear'), ('X5', 'Evacuating')) made (code, name)`)

  await migrate(database.owner.db)

  const { rows } = await database.owner.pg.query(
    `select code from floor_status where means_clear and code like 'X_' order by code`,
  )
  expect(rows.map(({ code }) => code)).toEqual(['X1', 'X2', 'X3'])
})

test.for([
  { database: 'of the first version', open: firstVersion, known: 3 },
  { database: 'that is empty', open: () => openTestDatabase({ empty: true }), known: 0 },
])('processes that start at once migrate a database $database once', async ({ open, known }) => {
  await using database = await open()

  const runs = await Promise.all([1, 2, 3].map(() => migrate(database.owner.db)))

  expect(runs.flat().sort()).toEqual(listMigrationNames().slice(known))
})

test.for([
  { database: 'upgraded from the first version', open: firstVersion },
  { database: 'made by the baseline', open: () => openTestDatabase({ empty: true }) },
])(
  'a node of the older version restarts on a database $database that a newer version has migrated',
  async ({ open }) => {
    await using database = await open()
    await migrate(database.owner.db)
    const remember = 'insert into kysely_migration (name, timestamp) values ($1, now()::text)'
    await database.owner.pg.query(remember, ['9000-of-a-newer-version'])

    expect(await migrate(database.owner.db)).toEqual([])

    expect(await listNewerMigrations(database.owner.db)).toEqual(['9000-of-a-newer-version'])
  },
)

test('a database with an unknown migration is rejected', async () => {
  await using database = await openTestDatabase({ empty: true })
  await migrate(database.owner.db, '0003-journal-and-safety')
  await database.owner.pg.query(`insert into kysely_migration (name, timestamp) values ('0003-zzz', now()::text)`)

  await expect(migrate(database.owner.db)).rejects.toThrow('0003-zzz')
})

test('AMB-038 T28 the upgrade splits a shared account by organisation and keeps the password only where its owner is certain', async () => {
  await using database = await openTestDatabase({ empty: true })
  await migrate(database.owner.db, '0028-order-of-one-phone')
  await database.owner.pg.query(sharedAccounts)

  await migrate(database.owner.db)

  const { rows } = await database.owner.pg.query(
    `select p.code, a.owner_client_uid = p.client_uid as own, a.email, a.mobile, a.password_hash as password,
      exists (select from session s where s.account_uid = a.uid and s.revoked_at is null) as session
    from person p join account a on a.uid = p.account_uid order by p.code`,
  )
  const own = { own: true, session: false }
  expect(rows).toEqual([
    // created with this person's account and unchanged since: the other organisation must prove it again
    { ...own, code: 'A1', email: 'both@a.test', mobile: null, password: 'of the file' },
    // another organisation may have filled in the email and the password
    { ...own, code: 'A2', email: null, mobile: '61491000002', password: null },
    // set through a link to the address that both share
    { ...own, code: 'A3', email: 'reset@a.test', mobile: null, password: 'by mail' },
    { ...own, code: 'A4', email: 'alone@a.test', mobile: null, password: 'alone', session: true },
    { ...own, code: 'B1', email: 'both@a.test', mobile: null, password: null },
    { ...own, code: 'B2', email: 'filled@b.test', mobile: '61491000002', password: null },
    { ...own, code: 'B3', email: 'reset@a.test', mobile: null, password: 'by mail' },
  ])
})

test('AUTH-06 a migration that the database aborts because of a deadlock with a running node is run again', async () => {
  await using database = await openTestDatabase({ empty: true })
  await migrate(database.owner.db, '0035-a-pot-for-sign-in-links')
  const node = new pg.Client({ ...inject('testAdmin'), database: database.connection.database })
  await node.connect()
  // the migration looks for the deadlock first, and is aborted
  await node.query("set deadlock_timeout = '1min'; begin; lock table message in access share mode")

  const migrated = migrate(database.owner.db, '0037-steady-clock')
  await expect.poll(() => countWaiting(node)).toBe(1)
  await node.query('select from event; commit')

  expect(await migrated).toEqual(['0037-steady-clock'])
  await node.end()
})

const countWaiting = async (client: pg.Client) =>
  (await client.query("select from pg_locks where not granted and relation = 'message'::regclass")).rows.length

/** People of two organisations, A first. Three accounts are shared and one belongs to A alone. */
const sharedAccounts = `
  insert into client (uid, code, name) values
    ('c0000000-0000-4000-8000-00000000000a', 'A', 'A'), ('c0000000-0000-4000-8000-00000000000b', 'B', 'B');
  insert into account (uid, email, mobile, password_hash, imported_password_hash, created_at, updated_at) values
    ('a0000000-0000-4000-8000-000000000001', 'both@a.test', null, 'of the file', 'of the file', '2026-01-01', '2026-01-01'),
    ('a0000000-0000-4000-8000-000000000002', 'filled@b.test', '61491000002', 'filled', 'filled', '2026-01-01', '2026-02-01'),
    ('a0000000-0000-4000-8000-000000000003', 'reset@a.test', null, 'by mail', 'of the file', '2026-01-01', '2026-03-01'),
    ('a0000000-0000-4000-8000-000000000004', 'alone@a.test', null, 'alone', 'alone', '2026-01-01', '2026-03-01');
  insert into person (client_uid, code, account_uid, first_name, last_name, email, mobile, created_at)
  select ('c0000000-0000-4000-8000-00000000000' || lower(left(code, 1)))::uuid, code,
    ('a0000000-0000-4000-8000-00000000000' || right(code, 1))::uuid, 'Sofia', 'Rossi', email, mobile,
    case when code like 'A%' then date '2026-01-01' else date '2026-02-01' end
  from (values ('A1', 'both@a.test', null), ('A2', null, '61491000002'), ('A3', 'reset@a.test', null),
    ('A4', 'alone@a.test', null), ('B1', 'both@a.test', null), ('B2', 'filled@b.test', '61491000002'),
    ('B3', 'reset@a.test', null)) as p (code, email, mobile);
  insert into session (token_hash, account_uid, client_uid, person_uid, sign_in_method, expires_at)
  select sha256(code::bytea), account_uid, client_uid, uid, 'Email', now() + interval '1 hour' from person;`
