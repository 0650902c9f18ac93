import { readFileSync } from 'node:fs'
import { sql } from 'kysely'
import { expect } from 'vitest'
import { test } from '#server/testing/server-test.ts'
import { evacueeSafety, everyone } from './safety.fixture.ts'

const indexes = ['person_search', 'person_mobiles']
const baseline = readFileSync(new URL('../../../../server/migrations/0200-baseline.sql', import.meta.url), 'utf8')
/** The part of it that needs the extension. */
const guardedPart = /do \$\$\nbegin\n {2}create extension.*?end \$\$;/s.exec(baseline)?.[0] ?? ''

test('SAFE-24 AMB-121 the search finds the same in a small client, in a large one by the index, and where there is no index', async ({
  server,
}) => {
  const { org, start } = await evacueeSafety(server)
  const { occupant } = server.given
  await occupant(org, { firstName: 'Zoë', lastName: "O'Brien", mobile: '61491570006' })
  await occupant(org, { firstName: '100% Sure', lastName: 'Under_score', mobile: null })
  await occupant(org, { firstName: 'Annabelle', lastName: 'Schoenberger' })
  const { names } = await start()
  const texts = ['ZOË', "o'br", '0% s', 'r_s', '0491 570', 'nobody', 'ground', "zoë o'brien", '100% sure under_score']
  const ofTwoWords = ['annabelle schoenberger', 'belle schoen', 'belle  schoen', 'schoen belle', 'annab schoen']
  const search = async () => {
    const found: [string, string[]][] = []
    for (const text of [...texts, ...ofTwoWords]) found.push([text, await names({ ...everyone, search: text })])
    return found
  }
  const { db } = server.database.owner
  const { rows } = await sql`select from pg_indexes where indexname in (${sql.join(indexes)})`.execute(db)
  expect(rows).toHaveLength(2)
  const found = await search()

  await sql`
    insert into person (client_uid, code, first_name, last_name)
    select ${org.clientUid}, 'filler' || i, 'Filler', i::text from generate_series(1, 5001) i`.execute(db)
  expect(await search()).toEqual(found)

  await sql`drop extension pg_trgm cascade`.execute(db)
  expect(await search()).toEqual(found)
  expect(found.map(([, people]) => people.length)).toEqual([1, 1, 1, 1, 1, 0, 3, 1, 1, 1, 1, 1, 1, 1])
})

test('SAFE-24 a database that may not have the extension is migrated all the same, without the index', async ({
  server,
}) => {
  const { owner, tenant } = server.database
  await sql`drop extension if exists pg_trgm cascade`.execute(owner.db)

  // a role that may not create extensions, and then the owner without one
  expect(guardedPart).toContain('person_search')
  await sql.raw(guardedPart).execute(tenant.db)
  await sql.raw(guardedPart.replace(/create extension .*;/, '')).execute(owner.db)

  const { rows } = await sql`select from pg_indexes where indexname in (${sql.join(indexes)})`.execute(owner.db)
  expect(rows).toEqual([])
})
