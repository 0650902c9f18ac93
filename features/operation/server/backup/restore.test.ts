/** @module-tag long */
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'vitest'
import { startServer } from '#server/server.ts'
import { asAdmin } from '#server/testing/database.ts'
import { givenFolder } from '#server/testing/given-folder.ts'
import { databaseUrl, runCommand } from '#server/testing/run-command.ts'
import { testConfig } from '#server/testing/test-server.ts'
import { at, backUpOf, contents, documents, type Fixtures, restoreInto, rowsIn, test } from './backup.fixture.ts'
import { backUp } from './backup.service.ts'
import type { Manifest } from './backup-folder.ts'

type Target = Fixtures['target']

/** From now on the database cuts a restore off when it puts references back: late, and with everything loaded. */
const cutRestores = (target: Target) =>
  asAdmin(
    `create schema trap;
     create function trap.cut() returns event_trigger language plpgsql as $$ begin
       if current_setting('application_name') = 'evac_restore' and current_query() like '%add constraint%' then
         perform pg_terminate_backend(pg_backend_pid());
       end if;
     end $$;
     create event trigger cut on ddl_command_end execute function trap.cut()`,
    target.connection.database,
  )
const cutNoMore = ({ connection }: Target) =>
  asAdmin('drop event trigger cut; drop schema trap cascade', connection.database)
const schemas = (target: Target) =>
  rowsIn(target, `select nspname as name from pg_namespace where nspname like 'before%'`)

async function cutShort(target: Target, folder: string) {
  await rowsIn(target, "insert into client (code, name) values ('OLD', 'Old organisation')")
  const before = await contents(target)
  await cutRestores(target)
  await expect(restoreInto(target, folder, true)).rejects.toThrow('Run it again: it first puts back what was there.')
  await cutNoMore(target)
  return before
}

test('F19 tables of another program are data, too: they are not overwritten, and on demand put aside', async ({
  running,
  folder,
  target,
}) => {
  await backUpOf(running, folder)
  await rowsIn(target, 'drop schema public cascade; create schema public; create table orders as select 7 as number')

  await expect(restoreInto(target, folder)).rejects.toThrow('The database contains data.')
  expect(await rowsIn(target, 'select number from orders')).toEqual([{ number: 7 }])
  const { aside } = await restoreInto(target, folder, true)
  expect(await rowsIn(target, `select number from "${aside}".orders`)).toEqual([{ number: 7 }])
})

test('F21 after a restore that was cut short nothing starts on half of the data', async ({
  running,
  folder,
  target,
}) => {
  await backUpOf(running, folder)
  await cutShort(target, folder)
  const start = startServer({ ...testConfig, port: 0, databaseUrl: databaseUrl(target), dataDir: join(folder, 'data') })
  const started = start.then((server) => server.stop().then(() => 'started'), String)
  using organisation = givenFolder()

  expect(await started).toContain('A restore of this database was interrupted, or is still running')
  expect(await runCommand('commands/import-main.ts', target, organisation.path)).toMatchObject({
    code: 1,
    stderr: expect.stringMatching(/^A restore of this database was interrupted/),
  })
  await expect(backUp(target.connection, documents(folder), join(folder, 'another'))).rejects.toThrow('was interrupted')
})

test('F21 the next restore first brings back what was there', async ({ running, folder, target }) => {
  await backUpOf(running, folder)
  const before = await cutShort(target, folder)

  await expect(restoreInto(target, folder)).rejects.toThrow('The database contains data.')
  expect(await contents(target)).toEqual(before)
  const { aside } = await restoreInto(target, folder, true)
  expect(await contents(target)).toEqual(await contents(running.server.database))
  expect(await rowsIn(target, `select code from "${aside}".client`)).toEqual([{ code: 'OLD' }])
  expect(await schemas(target)).toEqual([{ name: aside }])
})

const strangeManifests: Record<string, (manifest: Manifest) => void> = {
  'SQL in the name of a table': ({ tables }) =>
    Object.assign(tables[0] ?? {}, { name: 'client"; drop table client; --' }),
  'SQL in the name of a column': ({ tables }) => tables[0]?.columns.push('code") from stdin; --'),
  'a table that is not data': ({ tables }) => Object.assign(tables[0] ?? {}, { name: 'kysely_migration' }),
  'a column that there is not': ({ tables }) => tables[0]?.columns.push('secret'),
  'a file elsewhere': ({ tables }) => Object.assign(tables[0] ?? {}, { file: 'tables/../../person.gz' }),
  'a document elsewhere': ({ documents }) => documents.push({ file: 'documents/../../x.pdf', sha256: '0'.repeat(64) }),
}
test.for(Object.keys(strangeManifests))(
  'T26 a manifest that names %s is refused, and the database is as it was',
  async (what, { running, folder, target }) => {
    await backUpOf(running, folder)
    const before = await contents(target)
    const file = join(at(folder), 'manifest.json')
    const manifest = JSON.parse(readFileSync(file, 'utf8')) as Manifest
    strangeManifests[what]?.(manifest)
    writeFileSync(file, JSON.stringify(manifest))

    await expect(restoreInto(target, folder)).rejects.toThrow(
      /is not a backup that this version of Evac can read|which is not a table or column of Evac/,
    )
    expect(await contents(target)).toEqual(before)
  },
)

test('F20 a backup that fails leaves nothing that looks like one, and no half of one', async ({ running, folder }) => {
  await rowsIn(
    running.server.database,
    `insert into document (client_uid, code, name, storage_key, site_uid)
     select client_uid, 'plan', 'Plan', 'plan-1.pdf', uid from site limit 1`,
  )
  const broken = { ...documents(folder), read: () => Promise.reject(new Error('no space left')) }

  await expect(backUp(running.server.database.connection, broken, at(folder))).rejects.toThrow('no space left')

  expect(readdirSync(folder)).toEqual([])
})

test('F20 a database that was never Evac’s is not backed up as an empty one', async ({ folder, target }) => {
  await rowsIn(target, 'drop schema public cascade; create schema public')

  await expect(backUp(target.connection, documents(folder), at(folder))).rejects.toThrow(
    'This is not a database of Evac: set DATABASE_URL or DATA_DIR as for `npm start`.',
  )
  expect(readdirSync(folder)).toEqual([])
})
