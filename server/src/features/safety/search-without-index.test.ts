import { readFileSync } from 'node:fs'
import { sql } from 'kysely'
import { expect } from 'vitest'
import { test } from '../../testing/server-test.ts'
import { evacueeSafety, everyone } from './safety.fixture.ts'

test('SAFE-24 AMB-121 the search finds the same where the database has no index of letters', async ({ server }) => {
  const { org, start } = await evacueeSafety(server)
  const { occupant } = server.given
  await occupant(org, { firstName: 'Zoë', lastName: "O'Brien", mobile: '61491570006' })
  await occupant(org, { firstName: '100% Sure', lastName: 'Under_score', mobile: null })
  const { names } = await start()
  const texts = ['ZOË', "o'br", '0% s', 'r_s', '0491 570', 'nobody', 'ground']
  const search = async () => {
    const found: [string, string[]][] = []
    for (const text of texts) found.push([text, await names({ ...everyone, search: text })])
    return found
  }
  const { db } = server.database.owner
  const { rows } = await sql`select from pg_indexes where indexname = 'person_words'`.execute(db)
  expect(rows).toHaveLength(1)
  const found = await search()

  await sql`drop extension pg_trgm cascade`.execute(db)

  expect(await search()).toEqual(found)
  expect(found.map(([, people]) => people.length)).toEqual([1, 1, 1, 1, 1, 0, 2])
})

test('SAFE-24 a database that may not have the extension is migrated all the same, without the index', async ({
  server,
}) => {
  const { owner, tenant } = server.database
  await sql`drop extension if exists pg_trgm cascade`.execute(owner.db)
  const migration = readFileSync(new URL('../../../migrations/0009-evacuee-safety.sql', import.meta.url), 'utf8')
  const [withExtension = ''] = /do \$\$.*?end \$\$;/s.exec(migration) ?? []
  expect(withExtension).toContain('create index person_words')

  // a role that may not create extensions
  await sql.raw(withExtension).execute(tenant.db)

  const { rows } = await sql`select from pg_indexes where indexname = 'person_words'`.execute(owner.db)
  expect(rows).toEqual([])
})
