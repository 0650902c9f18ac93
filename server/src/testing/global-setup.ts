import { chmodSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import type { TestProject } from 'vitest/node'
import { type Connection, openPool } from '../platform/db.ts'
import { startEmbeddedPostgres } from '../platform/embedded-postgres.ts'
import { openJobs } from '../platform/jobs.ts'
import { migrate } from '../platform/migrate.ts'

declare module 'vitest' {
  interface ProvidedContext {
    testConnection: { host: string; port: number; user: string; database: string }
  }
}

export const templateName = 'evac_template'

/** One real PostgreSQL for the whole run, with a migrated template that each test file's databases are cloned from. */
export default async function setup(project: TestProject) {
  const folder = mkdtempSync(join(tmpdir(), 'evac-test-'))
  chmodSync(folder, 0o711) // as root, the database's own account must reach its folder in here
  const server = await startEmbeddedPostgres({
    dataDir: join(folder, 'data'),
    binDir: process.env.PG_BIN_DIR,
    // the data of a test run need not survive a power cut
    settings: { fsync: 'off', max_connections: 300 },
    log: { info: () => undefined, warn: console.warn },
  })
  const connection = server.connection as Exclude<Connection, { connectionString: string }>
  const admin = new pg.Client(connection)
  await admin.connect()
  await admin.query(`create database ${templateName}`)
  await admin.end()
  const owner = openPool({ ...connection, database: templateName }, undefined, 1)
  await migrate(owner.db)
  await owner.close()
  const jobs = await openJobs({ ...connection, database: templateName }, { works: false, onTrouble: console.warn })
  await jobs.stop()
  project.provide('testConnection', connection)
  return async () => {
    await server.stop({ force: true })
    rmSync(folder, { recursive: true, force: true })
  }
}
