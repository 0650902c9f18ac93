/** @module-tag long */
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { expect, test } from 'vitest'
import type { Connection } from './platform/db/db.ts'
import { openLine } from './platform/observability/line.fixture.ts'
import { openTestDatabase } from './testing/database.ts'
import { startNode } from './testing/nodes.ts'

test('F6 a node that is told to stop stops, also when the database says nothing any more', {
  timeout: 120_000,
}, async () => {
  await using database = await openTestDatabase()
  const { host, port, user, database: name } = database.connection as Exclude<Connection, { connectionString: string }>
  await using line = await openLine({ path: join(host, `.s.PGSQL.${port}`) })
  await using node = await startNode(database, { DATABASE_URL: `postgres://${user}@127.0.0.1:${line.port}/${name}` })

  line.fallSilent()

  expect(await Promise.race([node.stop(), delay(60_000, 'still running')])).toBe(0)
})
