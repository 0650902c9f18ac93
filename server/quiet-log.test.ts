import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { findFreePort } from '../scripts/lib/free-ports.ts'
import type { Connection } from './platform/db/db.ts'
import { openLine } from './platform/observability/line.fixture.ts'
import { openTestDatabase } from './testing/database.ts'
import { startNode } from './testing/nodes.ts'

test('F29 a start says version, database and ways out; while database and SMPP are away the log stays short', {
  timeout: 120_000,
}, async () => {
  await using database = await openTestDatabase()
  const { host, port, user, database: name } = database.connection as Exclude<Connection, { connectionString: string }>
  await using line = await openLine({ path: join(host, `.s.PGSQL.${port}`) })
  await using node = await startNode(database, {
    DATABASE_URL: `postgres://${user}@127.0.0.1:${line.port}/${name}`,
    LOG_LEVEL: 'info',
    SMS_GATEWAY: 'smpp',
    SMPP_URL: `smpp://evac:secret@127.0.0.1:${await findFreePort()}`,
    SMPP_FROM: 'Evac',
  })
  const lines = () =>
    node
      .said()
      .split('\n')
      .filter((text) => text.startsWith('{'))
  await expect.poll(node.said).toContain('the SMPP provider cannot be reached (connect ECONNREFUSED')
  await expect.poll(node.said).toMatch(/"version":"\d.*"PostgreSQL \d.*"texts":"smpp".*Evac is ready/)
  const before = lines().length

  line.refuse()
  await expect.poll(node.said).toContain('The database does not answer')
  await delay(3_000) // how much is said while nothing changes
  line.heal()
  await expect.poll(node.said).toContain('The database answers again')

  expect(lines().slice(before).length, lines().slice(before).join('\n')).toBeLessThan(8)
})
