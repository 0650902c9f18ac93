import { readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { zstdDecompressSync } from 'node:zlib'
import { expect } from 'vitest'
import { newSecret } from '#server/platform/one-time-codes.ts'
import { decrypt, deriveSecrets, encrypt, idOfKey } from '#server/platform/secrets.ts'
import { forgetTransactionIds } from '#server/realtime/feed/epoch.queries.ts'
import { fullOrganisation } from '#server/security/full-organisation.fixture.ts'
import { givenAdministrator } from '#server/testing/administrators.ts'
import { secretKey, startTestServer } from '#server/testing/test-server.ts'
import {
  endEvents,
  ended,
  exported,
  imported,
  otherKey,
  passphrase,
  rowsOf,
  storeOf,
  tablesOf,
  test,
} from './whole.fixture.ts'
import { leftOut } from './whole-tables.queries.ts'

test('CELL-03 an organisation comes whole: each row of each table, documents and second factors', async ({
  server,
  folder,
  target,
}) => {
  const { clientUid, org } = await ended(server)
  const secret = newSecret()
  const admin = await givenAdministrator(server, org, { email: 'two@quay.test' })
  await server.db.deleteFrom('secondFactor').where('accountUid', '=', admin.accountUid).execute()
  const { accountUid } = admin
  await server.db
    .insertInto('secondFactor')
    .values({ accountUid, secret: encrypt(deriveSecrets(secretKey).secondFactors, secret, accountUid), lastStep: 7 })
    .execute()
  const codes = [idOfKey(deriveSecrets(otherKey).recoveryCodes), 'strange0']
  await server.db
    .insertInto('recoveryCode')
    .values(codes.map((keyId) => ({ accountUid, codeHash: Buffer.from(keyId), keyId })))
    .execute()
  await server.db.insertInto('smsRefusal').values({ mobile: '61400000111' }).execute()
  await server.db.updateTable('person').set({ mobile: '61400000111' }).where('uid', '=', admin.personUid).execute()
  const plan = join(folder, 'plan.pdf')
  writeFileSync(plan, 'p'.repeat(500_000))
  await storeOf(folder, 'old').keep('plan.pdf', plan)
  await server.db
    .insertInto('document')
    .values({ clientUid, code: 'F', name: 'File', storageKey: 'plan.pdf', siteUid: org.siteUid })
    .execute()

  const file = await exported(server, folder, clientUid, { passphrase })
  const { counts, droppedCodes, header } = await imported(target, folder, { path: file.path, passphrase })

  expect(statSync(file.path).mode & 0o777).toBe(0o600)
  expect(counts).toMatchObject(file.counts)
  expect([file.lostDocuments, droppedCodes, header.host]).toEqual([0, 1, 'old.evac.test'])
  for (const { name, condition } of await tablesOf(target, clientUid)) {
    const there = await rowsOf(target, name, condition)
    if (name === 'journal')
      there.splice(
        there.findIndex((row) => row.includes('organisation_imported')),
        1,
      )
    if (name === 'recovery_code') expect(there).toHaveLength(1)
    else expect([name, there.length]).toEqual([name, file.counts.rows[name]])
    if (!['journal', 'recovery_code', 'sms', 'ring', 'reach', 'broadcast', 'log_key'].includes(name))
      expect([name, there]).toEqual([name, await rowsOf(server.database, name, condition)])
  }
  const empty = Object.keys(file.counts.rows).filter((name) => file.counts.rows[name] === 0)
  expect(empty).toEqual(['log_key', 'sign_in_log'].filter((name) => empty.includes(name)))
  const found = await target.system.db
    .selectFrom('secondFactor')
    .select('secret')
    .where('accountUid', '=', accountUid)
    .executeTakeFirstOrThrow()
  expect(decrypt([deriveSecrets(otherKey).secondFactors], found.secret, accountUid)).toEqual(secret)
  expect(await text((await storeOf(folder, 'new').read('plan.pdf'))?.body as never)).toHaveLength(500_000)
})

test('CELL-03 links of the old address open nothing, and what waited there is not sent from here', async ({
  server,
  folder,
  target,
}) => {
  const { clientUid } = await ended(server)
  const waiting = async (table: 'sms' | 'mail') =>
    (await target.owner.pg.query(`select from ${table} where status = 'queued'`)).rowCount
  const file = await exported(server, folder, clientUid)

  await imported(target, folder, { path: file.path })

  expect([await waiting('sms'), await waiting('mail')]).toEqual([0, 0])
  for (const { name, columns, condition } of await tablesOf(target, clientUid)) {
    if (!columns.some((column) => column.name === 'token_hash')) continue
    const hashes = `select encode(token_hash, 'hex') as hash from "${name}" where ${condition} and token_hash is not null`
    const { rows: old } = await server.database.owner.pg.query<{ hash: string }>(hashes)
    const { rows: now } = await target.owner.pg.query<{ hash: string }>(hashes)
    expect([name, now.length]).toEqual([name, old.length])
    expect(now.filter(({ hash }) => old.some((one) => one.hash === hash))).toEqual([])
  }
  const { rows } = await target.owner.pg.query('select from second_factor')
  expect(rows).toEqual([])
})

test('CELL-03 each table of the database goes along or is named as left out', async ({ server, target }) => {
  const tables = await tablesOf(server.database, '00000000-0000-4000-8000-000000000000')
  const { rows } = await server.database.owner.pg.query<{ name: string }>(
    `select relname as name from pg_class where relnamespace = 'public'::regnamespace and relkind = 'r'`,
  )

  expect([...tables.map(({ name }) => name), ...Object.keys(leftOut)].sort()).toEqual(
    rows.map(({ name }) => name).sort(),
  )
  await target.owner.pg.query('create table newcomer (words text)')
  await expect(tablesOf(target, '00000000-0000-4000-8000-000000000000')).rejects.toThrow(
    'Neither does newcomer belong to an organisation, nor is it named as left out.',
  )
})

test('CELL-03 an export waits for the end of the event, and takes nothing of others', async ({ server, folder }) => {
  const { org } = await fullOrganisation(server)
  const other = await server.given.organisation({ siteName: 'Canary Wharf of others' })
  await server.given.peep(other, await server.given.occupant(other, { lastName: 'Canarybird' }))

  await expect(exported(server, folder, org.clientUid)).rejects.toThrow(/has a running event/)
  await endEvents(server, org.clientUid)
  const file = await exported(server, folder, org.clientUid)

  const content = zstdDecompressSync(readFileSync(file.path)).toString()
  expect(content).toContain('Quay')
  expect(content).not.toMatch(new RegExp(`Canarybird|Canary Wharf|${other.clientUid}`))
  await expect(exported(server, folder, org.clientUid)).rejects.toThrow(/already exists/)
  const told = await server.journalOf(org.clientUid)
  expect(told.map(({ action }) => action)).toEqual(['organisation_exported'])
})

test('CELL-03 what is written during an export comes whole or not at all', async ({ server, folder, target }) => {
  const { org, clientUid } = await ended(server)
  let isExporting = true
  const write = async () => {
    let written = 0
    for (; isExporting; written++) await server.given.peep(org, await server.given.occupant(org, { lastName: 'Late' }))
    return written
  }
  const writing = [write(), write()]
  const file = await exported(server, folder, clientUid)
  isExporting = false

  expect((await Promise.all(writing)).reduce((sum, count) => sum + count)).toBeGreaterThan(4)
  // a plan without its person would stop it
  expect((await imported(target, folder, { path: file.path })).counts).toEqual(expect.objectContaining(file.counts))
})

test('CELL-03 a second import is refused and changes nothing, also of two at once', async ({
  server,
  folder,
  target,
}) => {
  const { clientUid } = await ended(server)
  const { path, counts } = await exported(server, folder, clientUid)

  const outcomes = await Promise.allSettled([1, 2, 3].map(() => imported(target, folder, { path })))
  const before = await target.owner.pg.query('select count(*)::int as n from journal')

  expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
  for (const outcome of outcomes)
    if (outcome.status === 'rejected')
      expect(outcome.reason.message).toMatch(/Another organisation is being imported|is here already/)
  await expect(imported(target, folder, { path })).rejects.toThrow(/is here already/)
  expect((await target.owner.pg.query('select count(*)::int as n from journal')).rows).toEqual(before.rows)
  expect(before.rows[0].n).toBe((counts.rows.journal ?? 0) + 1)
})

test('CELL-03 entries of two installations with the same positions come beside each other', async ({
  folder,
  target,
}) => {
  await using first = await startTestServer()
  await using second = await startTestServer()
  for (const server of [first, second]) {
    const { clientUid } = await ended(server)
    const code = server === first ? 'ONE' : 'TWO'
    await server.db.updateTable('client').set({ code }).where('uid', '=', clientUid).execute()
    await imported(target, folder, { path: (await exported(server, folder, clientUid)).path })
  }

  const { rows } = await target.owner.pg.query(
    `select xid::text, min(position)::int as first from journal where xid < '500' group by xid order by xid`,
  )
  expect(rows).toEqual([
    { xid: '1', first: 1 },
    { xid: '2', first: 1 },
  ])
  // a restore elsewhere forgets the transactions of its own rows alone
  await target.system.db.transaction().execute(forgetTransactionIds)
  // new entries come behind those that have come
  const { rows: newest } = await target.owner.pg.query(
    `insert into journal (client_uid, action, subject_type, subject_uid) select uid, 'x', 'event', uid from client returning position`,
  )
  expect(newest.every(({ position }) => position > 1_000_000)).toBe(true)
})
