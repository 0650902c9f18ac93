import { readFileSync } from 'node:fs'
import { expect } from 'vitest'
import { listMigrationNames, migrate } from '#server/platform/db/migrate.ts'
import { openTestDatabase } from '#server/testing/database.ts'
import { at, documents, restoreInto, rowsIn, test } from './backup.fixture.ts'
import { backUp } from './backup.service.ts'

const firstData = readFileSync(new URL('../../../../server/testing/first-data.sql', import.meta.url), 'utf8')

test('F19 a backup of an older version is loaded in its shape and then upgraded', async ({ folder, target }) => {
  await using older = await openTestDatabase({ empty: true })
  await migrate(older.owner.db, '0003-journal-and-safety')
  await older.owner.pg.query(firstData)
  await migrate(older.owner.db, '0096-coverage-ahead')
  await backUp(older.connection, documents(folder), at(folder))

  await restoreInto(target, folder)

  const people = 'select code, first_name, last_name, mobile from person order by code'
  expect(await rowsIn(target, people)).toEqual(await rowsIn(older, people))
  expect(await rowsIn(target, "select from person where search_name = ''")).toEqual([])
  const noted = await rowsIn<{ name: string }>(target, 'select name from kysely_migration order by name')
  expect(noted.map(({ name }) => name)).toEqual(listMigrationNames())
})
