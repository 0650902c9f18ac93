import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { openTestDatabase } from '#server/testing/database.ts'
import { givenFolder } from '#server/testing/given-folder.ts'
import { changesOf, openImportTest, rowsOf } from '#server/testing/import-test.ts'
import { databaseUrl } from '#server/testing/run-command.ts'
import { importOrganisation } from './import.service.ts'

const many = (count: number) => ({
  'people.csv': `code,first_name,last_name,floor\n${Array.from({ length: count }, (_, n) => `M${n},Mira,Many ${n},B1/L1\n`).join('')}`,
  'peeps.csv': undefined,
  'assignments.csv': undefined,
})
const perTransaction = 'select count(*) from person group by xmin::text order by 1 desc'

test('AUTH-06 few changes are one transaction', async () => {
  await using at = await openImportTest()

  await at.run()

  const tables = ['client', 'site', 'floor', 'account', 'person', 'peep', 'warden_assignment', 'document']
  const all = tables.map((table) => `select xmin::text from ${table}`).join(' union ')
  expect(await rowsOf(at.db, all)).toHaveLength(1)
})

test('IMP-11 HUB-21 F37 many changes are short transactions; an importer killed in one leaves nothing at work, and the next run does the rest', async () => {
  await using database = await openTestDatabase()
  const { db } = database.system
  using folder = givenFolder(many(5_400))
  await database.owner.pg.query(`create function stall() returns trigger language plpgsql as $$
      begin perform pg_sleep(300); return new; end $$;
    create trigger stall before insert on person for each row when (new.code = 'M2500') execute function stall()`)
  const stalled = `select pid from pg_stat_activity where datname = current_database() and wait_event = 'PgSleep'`

  const env = { ...process.env, DATABASE_URL: databaseUrl(database) }
  const importer = spawn(
    process.execPath,
    [join(import.meta.dirname, '../../../server/commands/import-main.ts'), folder.path],
    {
      env,
    },
  )
  await expect.poll(() => rowsOf(database.owner.db, stalled), { timeout: 30_000 }).toHaveLength(1)
  importer.kill('SIGKILL')
  await once(importer, 'exit')
  await expect.poll(() => rowsOf(database.owner.db, stalled), { timeout: 10_000 }).toEqual([])
  await database.owner.pg.query('drop trigger stall on person')
  const [written] = await rowsOf<{ count: number }>(db, 'select count(*) from person')
  const report = await importOrganisation({ db, folder: folder.path })

  expect(written?.count).toBeGreaterThan(1_500)
  const left = 5_400 - (written?.count ?? 0)
  expect(changesOf(report)).toMatchObject({ 'people.csv': { created: left, updated: 0, ended: 0 } })
  const steps = await rowsOf<{ count: number }>(db, perTransaction)
  // what was left is few, and so one transaction
  expect(steps.slice(1).every(({ count }) => count <= 500)).toBe(true)
  expect(await rowsOf(db, 'select count(*) from person')).toEqual([{ count: 5_400 }])
})

test('AUTH-06 what others write between plan and step is planned anew', async () => {
  await using at = await openImportTest()
  await at.run()
  at.folder.edit('documents.csv', 'D1,', 'D2,Map,,map.txt,S1,,\nD1,')
  at.folder.write('map.txt', 'here')
  const another = `insert into document (client_uid, code, name, url, site_uid)
    select client_uid, 'D2', 'Other', 'https://example.com/', uid from site on conflict do nothing`
  const documents = { keep: async () => void (await rowsOf(at.db, another)) }

  const report = await at.run({ documents: documents as never })

  expect(changesOf(report)).toEqual({ 'documents.csv': { created: 0, updated: 1, ended: 0 } })
  expect(await rowsOf(at.db, "select name, url from document where code = 'D2'")).toEqual([{ name: 'Map', url: null }])
})
