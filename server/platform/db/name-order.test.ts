import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { asAdmin, openTestDatabase } from '../../testing/database.ts'
import { keepNameOrder } from './name-order.ts'

test('AMB-114 after an ICU upgrade the people indexes are rebuilt once', async () => {
  await using database = await openTestDatabase()
  const { db } = database.owner
  const versionOf = async () =>
    (await sql<{ v: string }>`select collversion as v from pg_collation where collname = 'names'`.execute(db)).rows[0]
      ?.v
  const fileOf = async () =>
    (await sql<{ f: number }>`select pg_relation_filenode('evacuee_place_page') as f`.execute(db)).rows[0]?.f
  const [version, file] = [await versionOf(), await fileOf()]
  await keepNameOrder(db)
  expect(await fileOf()).toBe(file)
  await asAdmin(`update pg_collation set collversion = '1.0' where collname = 'names'`, database.connection.database)

  await Promise.all([keepNameOrder(db), keepNameOrder(db)])

  expect(await versionOf()).toBe(version)
  expect(await fileOf()).not.toBe(file)
})
