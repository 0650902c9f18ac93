import { readFileSync } from 'node:fs'
import { getFloorData, setPersonStatus } from '@evac/contract/evacuation.ts'
import type { FloorUid, PersonUid } from '@evac/contract/ids.ts'
import { reportIn } from '@evac/contract/report-in.ts'
import { expect, test } from 'vitest'
import { openTestDatabase, type TestDatabase } from '../testing/database.ts'
import { testPassword } from '../testing/given-people.ts'
import { wrongTallies } from '../testing/recount.ts'
import { startTestServer } from '../testing/test-server.ts'
import { listMigrationNames, listNewerMigrations, migrate } from './migrate.ts'
import { hashPassword } from './passwords.ts'

const firstData = readFileSync(new URL('../testing/first-data.sql', import.meta.url), 'utf8')
/** Of the running event in there. */
const eventUid = 'ee000000-0000-4000-8000-000000000001'
const floorUid = 'f0000000-0000-4000-8000-000000000001' as FloorUid
const amelia = 'e0000000-0000-4000-8000-000000000003' as PersonUid

/** The database as the third migration left it, with a row in every table. */
async function firstVersion() {
  const database = await openTestDatabase({ empty: true })
  await migrate(database.owner.db, '0003-journal-and-safety')
  await database.owner.pg.query(firstData)
  const password = await hashPassword(testPassword)
  await database.owner.pg.query('update account set password_hash = $1', [password])
  return database
}

/** Each row of each table, as it is stored. */
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

test('an upgrade from the first version keeps every row with all that stood in it', async () => {
  await using database = await firstVersion()
  const before = await rowsOf(database)
  expect(Object.entries(before).filter(([, rows]) => rows.length === 0)).toEqual([])

  const run = await migrate(database.owner.db)

  expect(run).toEqual(listMigrationNames().slice(3))
  const after = await rowsOf(database)
  const endless = (row: Record<string, unknown>) => row.valid_until === null
  for (const [table, rows] of Object.entries(before))
    expect(after[table], table).toEqual(
      rows.map((row) => expect.objectContaining(endless(row) ? { ...row, valid_until: expect.any(String) } : row)),
    )
  expect(await migrate(database.owner.db)).toEqual([])
})

test('an event that was running goes on after the upgrade: sign in, report in, read the floor, mark', async () => {
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
  expect(await wrongTallies(server.db, eventUid)).toEqual([])
})

test('processes that start at once upgrade the database once', async () => {
  await using database = await firstVersion()

  const runs = await Promise.all([1, 2, 3].map(() => migrate(database.owner.db)))

  expect(runs.flat().sort()).toEqual(listMigrationNames().slice(3))
})

test('a node of the older version comes back on a database that a newer one has migrated', async () => {
  await using database = await openTestDatabase({ empty: true })
  await migrate(database.owner.db)
  const remember = 'insert into kysely_migration (name, timestamp) values ($1, now()::text)'
  await database.owner.pg.query(remember, ['9000-of-a-newer-version'])

  expect(await migrate(database.owner.db)).toEqual([])

  expect(await listNewerMigrations(database.owner.db)).toEqual(['9000-of-a-newer-version'])
})

test('a database with a migration that was never in any version is refused', async () => {
  await using database = await openTestDatabase({ empty: true })
  await migrate(database.owner.db, '0003-journal-and-safety')
  await database.owner.pg.query(`insert into kysely_migration (name, timestamp) values ('0003-zzz', now()::text)`)

  await expect(migrate(database.owner.db)).rejects.toThrow('0003-zzz')
})
