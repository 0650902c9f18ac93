/** @module-tag long */
import { appendFileSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'vitest'
import { makePack } from '#features/arrival-pack/calls.ts'
import { visitorOf } from '#features/arrival-pack/server/pack.fixture.ts'
import { startTestServer, withKey } from '#server/testing/test-server.ts'
import {
  at,
  backUpOf,
  breakTable,
  contents,
  documents,
  type Fixtures,
  restoreInto,
  rowsIn,
  test,
} from './backup.fixture.ts'

test('F19 every row of a running event comes back as it was, and the next one fits', async ({
  running,
  folder,
  target,
}) => {
  const manifest = await backUpOf(running, folder)
  const { aside } = await restoreInto(target, folder)

  expect(aside).toBeUndefined()
  expect(await contents(target)).toEqual(await contents(running.server.database))
  expect(manifest.tables.find(({ name }) => name === 'journal')?.rows).toBeGreaterThan(0)
  await rowsIn(
    target,
    `insert into journal (client_uid, action, subject_type, subject_uid)
     select client_uid, action, subject_type, subject_uid from journal limit 1`,
  )
})

test('F19 T26 who was signed in signs in again; old links and texts are void', async ({ running, folder, target }) => {
  await backUpOf(running, folder)
  const { heldTexts } = await restoreInto(target, folder)

  expect(heldTexts).toBeGreaterThan(0)
  const open = await rowsIn(
    target,
    `select (select count(*) from session where expires_at > now()) as sessions,
       (select count(*) from report_in_link where expires_at > now()) as links,
       (select count(*) from sms where status = 'queued') as queued,
       (select count(*) from broadcast where finished_at is null) as unwritten, (select count(*) from feed_epoch where system_identifier <> 'restored') as feeds`,
  )
  expect(open).toEqual([{ sessions: 0, links: 0, queued: 0, unwritten: 0, feeds: 0 }])
})

test('PACK-02 T26 an arrival pack that was open when the backup was made has ended', async ({
  running,
  folder,
  target,
}) => {
  const { server, manager } = running
  const { url } = await manager(makePack, { body: { hours: 4, plans: 'yes' } }, withKey())
  const { pathname } = new URL(url)
  const reader = String((await visitorOf(server).post(pathname)).headers.location)
  expect((await visitorOf(server).get(reader)).status).toBe(200)

  await backUpOf(running, folder)
  await restoreInto(target, folder)
  await using restored = await startTestServer({ db: target.tenant.db, system: target.system.db })

  const visitor = visitorOf(restored)
  const answers = [await visitor.get(pathname), await visitor.post(pathname), await visitor.get(reader)]
  expect(answers.map(({ status }) => status)).toEqual([410, 410, 410])
  expect(await rowsIn(target, 'select name from arrival_pack_reader')).toEqual([{ name: '' }])
})

test('F19 the product starts on what was restored, and a password signs in', async ({ running, folder, target }) => {
  await backUpOf(running, folder)
  await restoreInto(target, folder)
  await using server = await startTestServer({ db: target.tenant.db, system: target.system.db })

  expect(await server.signIn(running.email)).toMatchObject({ token_type: 'Bearer' })
})

async function addPlan({ server }: Fixtures['running'], folder: string) {
  const plan = join(folder, 'plan.pdf')
  writeFileSync(plan, 'a plan')
  await documents(folder).keep('plan-1.pdf', plan)
  await rowsIn(
    server.database,
    `insert into document (client_uid, code, name, storage_key, site_uid)
     select client_uid, 'plan', 'Plan', 'plan-1.pdf', uid from site limit 1`,
  )
}

test('F19 files of documents come back with their rows', async ({ running, folder, target }) => {
  await addPlan(running, folder)
  await backUpOf(running, folder)
  await restoreInto(target, folder)

  expect(readFileSync(join(folder, 'restored', 'documents', 'plan-1.pdf'), 'utf8')).toBe('a plan')
})

test('F19 indexes and what they need are as they were, also after a restore that failed', async ({
  running,
  folder,
  target,
}) => {
  const indexes = async (database: Fixtures['target']) =>
    rowsIn(
      database,
      `select indexname as name from pg_indexes where schemaname = 'public' union
       select extname from pg_extension where extnamespace = 'public'::regnamespace order by 1`,
    )
  const before = await indexes(target)
  await backUpOf(running, folder)
  breakTable(folder, 'person')
  await expect(restoreInto(target, folder)).rejects.toThrow()
  expect(await indexes(target)).toEqual(before)
  rmSync(at(folder), { recursive: true })
  await backUpOf(running, folder)
  await restoreInto(target, folder)

  expect(await indexes(target)).toEqual(before)
})

test('F20 a damaged or incomplete backup is refused before anything is touched', async ({
  running,
  folder,
  target,
}) => {
  await backUpOf(running, folder)
  appendFileSync(join(at(folder), 'tables', 'person.gz'), 'x')
  await expect(restoreInto(target, folder)).rejects.toThrow('The backup is damaged: tables/person.gz has changed')
  rmSync(join(at(folder), 'tables', 'person.gz'))
  await expect(restoreInto(target, folder)).rejects.toThrow('The backup is incomplete: tables/person.gz is missing.')

  expect(await rowsIn(target, 'select from client')).toEqual([])
})

test('F20 loading that fails half-way leaves the database as it was', async ({ running, folder, target }) => {
  await backUpOf(running, folder)
  breakTable(folder, 'person')
  const before = await contents(target)

  await expect(restoreInto(target, folder)).rejects.toThrow()
  expect(await contents(target)).toEqual(before)
})

test('F20 documents that cannot be kept stop a restore before the database is touched', async ({
  running,
  folder,
  target,
}) => {
  await addPlan(running, folder)
  await backUpOf(running, folder)
  await rowsIn(target, "insert into client (code, name) values ('OLD', 'Old organisation')")
  const before = await contents(target)
  writeFileSync(join(folder, 'restored'), 'no folder')

  await expect(restoreInto(target, folder, true)).rejects.toThrow()
  expect(await contents(target)).toEqual(before)
})

test('F19 a database with data is not overwritten; on demand its data is put aside', async ({
  running,
  folder,
  target,
}) => {
  await backUpOf(running, folder)
  await rowsIn(target, "insert into client (code, name) values ('OLD', 'Old organisation')")

  await expect(restoreInto(target, folder)).rejects.toThrow('The database contains data.')
  const { aside } = await restoreInto(target, folder, true)
  expect(await contents(target)).toEqual(await contents(running.server.database))
  expect(await rowsIn(target, `select code from "${aside}".client`)).toEqual([{ code: 'OLD' }])
})

test('F19 nothing is restored under a running product', async ({ running, folder }) => {
  await backUpOf(running, folder)

  await expect(restoreInto(running.server.database, folder, true)).rejects.toThrow('stop Evac first')
})

test('F20 a backup of a newer version, or something else, is refused in words', async ({ running, folder, target }) => {
  const manifest = await backUpOf(running, folder)
  const file = join(at(folder), 'manifest.json')
  writeFileSync(file, JSON.stringify({ ...manifest, migrations: [...manifest.migrations, '9999-later'] }))
  await expect(restoreInto(target, folder)).rejects.toThrow('The backup is from a newer version of Evac (9999-later)')
  writeFileSync(file, '{}')
  await expect(restoreInto(target, folder)).rejects.toThrow('is not a backup that this version of Evac can read')
  rmSync(file)

  await expect(restoreInto(target, folder)).rejects.toThrow('is not a backup')
})

test('T26 PEEP-08 PACK-02 every table that holds the digest of a token is voided, arrival packs and notices about plans too', async ({
  running,
  folder,
  target,
}) => {
  await givenPackAndNotice(running)
  await backUpOf(running, folder)
  await restoreInto(target, folder)
  const holders = await rowsIn<{ table: string; expires: boolean }>(
    target,
    `select table_name as table, bool_or(column_name = 'expires_at') as expires from information_schema.columns
     where table_schema = 'public' group by 1 having bool_or(column_name like '%token_hash%') order by 1`,
  )

  for (const { table, expires } of holders) {
    const isGood = expires ? 'expires_at > now()' : 'revoked_at is null'
    expect(await rowsIn(target, `select from "${table}" where ${isGood}`), table).toEqual([])
  }
  expect(holders.map(({ table }) => table)).toEqual(expect.arrayContaining(['arrival_pack', 'plan_notice', 'session']))
  for (const table of ['arrival_pack', 'plan_notice'])
    expect(await rowsIn(target, `select from ${table}`), table).toHaveLength(1)
})

/** An arrival pack that opens for hours, and a notice about a plan that opens for weeks. */
async function givenPackAndNotice({ server: { db } }: Fixtures['running']) {
  const { clientUid, eventUid, personUid, uid } = await db
    .selectFrom('wardenSignIn')
    .select(['clientUid', 'eventUid', 'personUid', 'uid'])
    .executeTakeFirstOrThrow()
  const link = { clientUid, eventUid, expiresAt: new Date(Date.now() + 86_400_000) }
  await db
    .insertInto('arrivalPack')
    .values({ ...link, tokenHash: Buffer.alloc(32, 1), bySignInUid: uid, plans: true })
    .execute()
  await db
    .insertInto('planNotice')
    .values({ ...link, tokenHash: Buffer.alloc(32, 2), personUid, toldAt: new Date(), how: 'mail' })
    .execute()
}
