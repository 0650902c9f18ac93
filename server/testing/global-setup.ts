import { chmodSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { TestProject } from 'vitest/node'
import { checkDatabase } from '../platform/db/database-check.ts'
import type { Roles } from '../platform/db/database-roles.ts'
import { setUpDatabase } from '../platform/db/database-setup.ts'
import { openPool } from '../platform/db/db.ts'
import { openJobs } from '../platform/db/jobs.ts'
import { migrate } from '../platform/db/migrate.ts'
import { startEmbeddedPostgres } from '../platform/postgres/embedded-postgres.ts'

declare module 'vitest' {
  interface ProvidedContext {
    /** An ordinary owner, as everywhere. */
    testConnection: { host: string; port: number; user: string; database: string; roles: Roles }
    /** Who makes databases for it. */
    testAdmin: { host: string; port: number; user: string; database: string }
  }
}

export const templateName = 'evac_template'

/** What tests write on their own connections: people with a sign-in, to begin with. */
export const fixtureName = 'evac_fixtures'

/** Refuses a statement of the product that writes a sign-in, a grant or who is in use, and is none of `features/authority`. */
async function guardSignIns(pg: { query(text: string): Promise<unknown> }): Promise<void> {
  await pg.query(`
    create function refuse_other_writers() returns trigger language plpgsql as $$
    begin
      if current_setting('application_name') not in ('${fixtureName}', 'evac_owner')
        and position('/* authority */' in current_query()) = 0
      then raise 'only features/authority writes %: %', tg_table_name, left(current_query(), 200);
      end if;
      return coalesce(new, old);
    end $$`)
  for (const table of ['account', 'second_factor', 'recovery_code', 'administrator', 'invitation', 'password_reset'])
    await pg.query(`create trigger guard before insert or update on ${table}
      for each row execute function refuse_other_writers()`)
  for (const table of ['account', 'second_factor', 'administrator'])
    await pg.query(`create trigger guard_of_deleting before delete on ${table}
      for each row execute function refuse_other_writers()`)
  await pg.query(`create trigger guard before update of account_uid, active, merged_into_uid on person
    for each row execute function refuse_other_writers()`)
  await pg.query(`create trigger guard_of_inserting before insert on person
    for each row when (new.account_uid is not null or not new.active) execute function refuse_other_writers()`)
}

/** One real PostgreSQL for the whole run, with a migrated template that each test file's databases are cloned from. */
export default async function setup(project: TestProject) {
  const folder = mkdtempSync(join(tmpdir(), 'evac-test-'))
  chmodSync(folder, 0o711) // as root, the database's own account must reach its folder in here
  const server = await startEmbeddedPostgres({
    dataDir: join(folder, 'data'),
    binDir: process.env.PG_BIN_DIR,
    settings: {
      // the data of a test run need not survive a power cut, and no one reads its log
      fsync: 'off',
      full_page_writes: 'off',
      wal_level: 'minimal',
      max_wal_senders: 0,
      // small tables, dropped soon
      jit: 'off',
      autovacuum: 'off',
      max_connections: 300,
      max_prepared_transactions: 10,
    },
    log: { info: () => undefined, warn: console.warn },
  })
  const { admin, connection: address } = server
  await setUpDatabase(admin, { database: templateName, owner: address.user })
  const { roles } = await checkDatabase(address, 1)
  const connection = { ...address, roles }
  const owner = openPool({ ...connection, database: templateName }, undefined, 1)
  await migrate(owner.db)
  await guardSignIns(owner.pg)
  await owner.close()
  const jobs = await openJobs({ ...connection, database: templateName }, { works: false, onTrouble: console.warn })
  await jobs.stop()
  project.provide('testConnection', connection)
  project.provide('testAdmin', admin)
  return async () => {
    await server.stop({ force: true })
    rmSync(folder, { recursive: true, force: true })
  }
}
