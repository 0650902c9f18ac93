import { sql } from 'kysely'
import { test as base, expect } from 'vitest'
import type { DocumentStore } from '#server/platform/documents/document-store.ts'
import { openPools } from '#server/testing/database.ts'
import {
  bundleNow,
  endedDrill,
  inItself,
  sealWhole,
  signerOf,
  signingOf,
  writeEntry,
} from '#server/testing/event-log.ts'
import { startTestServer, type TestServer } from '#server/testing/test-server.ts'
import { headsOf, signHead } from '../heads.service.ts'
import { meterLogs } from '../log.metrics.ts'
import { leafHash, rootOf } from '../merkle.ts'
import type { LogOf } from '../sealing.queries.ts'
import { countBroken, listHashes, listHeadsOf } from './head-log.queries.ts'
import { signHeads } from './head-log.service.ts'
import { keepNote, nameOf, readNote } from './kept-notes.ts'

/** A server of its own for each test: the log of heads is one for the installation. */
// biome-ignore lint/correctness/noEmptyPattern: a fixture names what it needs, and this one needs nothing
const test = base.extend('server', async ({}, { onCleanup }) => {
  const server = await startTestServer()
  meterLogs(server.app.metrics, server.db, () => false)
  onCleanup(() => server[Symbol.asyncDispose]())
  return server
})

/** The log of an ended event with two heads. */
async function signed(server: TestServer) {
  const drill = await endedDrill(server)
  const { of } = drill
  await sealWhole(server, of)
  await signHead(signingOf(server), of)
  await grow(server, of)
  return { ...drill, sign: () => signHead(signingOf(server), of) }
}
async function grow(server: TestServer, of: LogOf) {
  await writeEntry(server.db, of, 'unread_changed', {})
  await sealWhole(server, of)
  return signHead(signingOf(server), of)
}
async function metricOf({ app }: TestServer, name: string) {
  const shown = (await app.inject('/metrics')).body
  return Number(new RegExp(`^${name} (\\S+)$`, 'm').exec(shown)?.[1])
}
const asOwner = (server: TestServer, statement: ReturnType<typeof sql>) => statement.execute(server.database.owner.db)
const actionsOf = async (server: TestServer, { eventUid }: LogOf) =>
  (await server.journalOf(eventUid)).map(({ action }) => action)
const broken = (server: TestServer, of: LogOf) =>
  server.db.selectFrom('recordLog').select('trouble').where('eventUid', '=', of.eventUid).executeTakeFirst()

test('SEAL-08 each head is kept in the file store and is an entry of the log of heads; a bundle proves it', async ({
  server,
}) => {
  const { of } = await signed(server)

  const kept = await listHeadsOf(server.db, of)
  expect(kept.map(({ n, note }) => [n, note])).toEqual(
    (await headsOf(server.db, of)).map(({ note }, at) => [at + 1, note]),
  )
  using bundle = await bundleNow(server, of)
  expect((await bundle.check()).lines[0]).toBe(inItself)
  const proof = bundle.read('log/head.tlog-proof')
  bundle.put('log/head.tlog-proof', proof.replace('index 1', 'index 0'))
  expect((await bundle.check()).lines).toEqual(['BROKEN', 'The log head is not in the log of heads.'])
  bundle.put('log/head.tlog-proof', undefined)
  expect((await bundle.check()).lines).toEqual(['BROKEN', 'The log head is not in the log of heads.'])
})

test('SEAL-08 nothing is signed while the file store is full, and sealing goes on', async ({ server }) => {
  const { of } = await endedDrill(server)
  const full: DocumentStore = {
    ...server.app.documents,
    keep: async () => {
      throw new Error('no space')
    },
  }
  const size = await sealWhole(server, of)

  await expect(signHead({ ...signingOf(server), documents: full }, of)).rejects.toThrow('no space')
  await writeEntry(server.db, of, 'unread_changed', {})

  expect(await sealWhole(server, of)).toBe(size + 1)
  expect(await headsOf(server.db, of)).toEqual([])
  await signHead(signingOf(server), of)
  expect((await headsOf(server.db, of)).map((head) => head.size)).toEqual([size + 1])
})

test('SEAL-08 a file store that gives another file back signs nothing', async ({ server }) => {
  const { of } = await endedDrill(server)
  await sealWhole(server, of)
  const { Readable } = await import('node:stream')
  const wrong: DocumentStore = {
    ...server.app.documents,
    keep: async () => undefined,
    read: async () => ({ body: Readable.from(['another file\n\n— x y\n']), bytes: 20 }),
  }

  await expect(signHead({ ...signingOf(server), documents: wrong }, of)).rejects.toThrow('something else as head 1')

  expect(await headsOf(server.db, of)).toEqual([])
})

test('SEAL-08 a file store that is slow holds no sealing up, and the alarm says for how long no head was kept', async ({
  server,
}) => {
  const { of } = await endedDrill(server)
  const { promise: hangs, resolve: goOn } = Promise.withResolvers<undefined>()
  const slow: DocumentStore = { ...server.app.documents, keep: () => hangs }
  const size = await sealWhole(server, of)
  const signed = signHead({ ...signingOf(server), documents: slow }, of).catch(() => undefined)

  await writeEntry(server.db, of, 'unread_changed', {})
  expect(await sealWhole(server, of)).toBe(size + 1)
  expect(await headsOf(server.db, of)).toEqual([])
  await sql`update record_log set sealed_at = now() - interval '12 minutes' where event_uid = ${of.eventUid}`.execute(
    server.db,
  )
  expect(await metricOf(server, 'evac_heads_not_kept_seconds')).toBeGreaterThanOrEqual(720)
  goOn(undefined)
  await signed
  await signHead(signingOf(server), of)

  expect(await metricOf(server, 'evac_heads_not_kept_seconds')).toBe(0)
})

test('SEAL-08 a copy of the database signs under names of its own, and takes no head of the original', async ({
  server,
}) => {
  const { of, sign } = await signed(server)
  const [heads, { documents }] = [await listHeadsOf(server.db, of), signingOf(server)]
  const { keyId } = signerOf(server)
  // what the original signs next, which the copy has never seen
  const [first] = heads
  const next = { keyId, epoch: first?.epoch ?? '', n: heads.length + 1 }
  await asOwner(server, sql`update feed_epoch set system_identifier = 'the original'`)
  await asOwner(server, sql`delete from head_log`)
  await writeEntry(server.db, of, 'unread_changed', {})
  await sealWhole(server, of)
  await keepNote(documents, nameOf(next), 'a head of the original that is still to come')

  await expect(sign()).resolves.toBeDefined()

  const kept = await listHeadsOf(server.db, of)
  expect(kept.at(-1)?.epoch).not.toBe(next.epoch)
  expect(await readNote(documents, nameOf(next))).toBe('a head of the original that is still to come')
})

test('SEAL-08 a node that was killed between keeping and saving a head: the next one takes the file', async ({
  server,
}) => {
  const { of } = await endedDrill(server)
  await sealWhole(server, of)
  const head = await signHead(signingOf(server), of)
  for (const table of ['head_log', 'record_head'])
    await asOwner(server, sql`delete from ${sql.table(table)} where event_uid = ${of.eventUid}`)
  await asOwner(server, sql`update record_log set head_size = 0, head_at = null where event_uid = ${of.eventUid}`)

  expect((await signHead(signingOf(server), of))?.note).toBe(head?.note)

  expect((await listHeadsOf(server.db, of)).map(({ n }) => n)).toEqual([1])
})

test('SEAL-08 nodes that sign many logs at once number their heads without gaps', async ({ server }) => {
  const drills = [await endedDrill(server, 1), await endedDrill(server, 1), await endedDrill(server, 1)]
  for (const { of } of drills) await sealWhole(server, of)
  await using other = openPools(server.database.connection)
  const signing = (at: number) => ({ ...signingOf(server), system: at % 2 ? other.system.db : server.db })

  await Promise.all(Array.from({ length: 4 }, (_, at) => drills.map(({ of }) => signHead(signing(at), of))).flat())

  const numbers = (await Promise.all(drills.map(({ of }) => listHeadsOf(server.db, of)))).flat().map(({ n }) => n)
  expect(numbers.toSorted()).toEqual([1, 2, 3])
})

test('SEAL-08 the checkpoint of many heads is the root of all of them, as they stand, also after one was rewritten', async ({
  server,
}) => {
  const { of } = await signed(server)
  await asOwner(
    server,
    sql`insert into head_log (client_uid, n, event_uid, size, root, note, hash, epoch)
      select ${of.clientUid}, 2 + i, gen_random_uuid(), i, sha256('x'), '', sha256(i::text::bytea), 'x' from generate_series(1, 700) i`,
  )
  const rootOfAll = async () => {
    const leaves = (await listHashes(server.db, 702)).map(leafHash)
    return rootOf(leaves).toString('base64')
  }
  const signedRoot = async () => (await signHeads(signingOf(server)))?.note.split('\n')[2]

  const [before, again] = [await signedRoot(), await signedRoot()]
  expect([before, again]).toEqual([await rootOfAll(), await rootOfAll()])
  await asOwner(server, sql`update head_log set hash = sha256('other') where n = 300`)

  expect(await signedRoot()).toBe(await rootOfAll())
  expect(await signedRoot()).not.toBe(before)
})

test('SEAL-09 a log that was rewritten says so before it is signed again, once; alarm and checker say it too', async ({
  server,
}) => {
  const { of, sign } = await signed(server)
  const [first] = await headsOf(server.db, of)
  await asOwner(
    server,
    sql`update log_tile set commits = set_byte(commits, 39, 255 - get_byte(commits, 39)), hash = null
      where event_uid = ${of.eventUid} and file = 'journal'`,
  )
  await writeEntry(server.db, of, 'unread_changed', {})
  await sealWhole(server, of)

  const head = await sign()
  await sign()

  expect((await actionsOf(server, of)).filter((action) => action === 'log_broken')).toHaveLength(1)
  expect(head?.size).toBeGreaterThan(Number(first?.size))
  expect((await broken(server, of))?.trouble).toMatch(/^This log no longer continues its head \d+ /)
  expect(await countBroken(server.db)).toBe(1)
})

test('SEAL-09 rows that the database has lost are found in the file store, and a log cut short says so', async ({
  server,
}) => {
  const { of, sign } = await signed(server)
  const heads = await headsOf(server.db, of)
  for (const table of ['head_log', 'record_head'])
    await asOwner(server, sql`delete from ${sql.table(table)} where event_uid = ${of.eventUid}`)
  await asOwner(
    server,
    sql`update log_tile set keys = keys[1:3], commits = substr(commits, 1, 96)
      where event_uid = ${of.eventUid} and file = 'journal'`,
  )
  await asOwner(server, sql`update record_log set size = 3, head_size = 0 where event_uid = ${of.eventUid}`)

  await sign()

  expect((await listHeadsOf(server.db, of)).slice(0, heads.length).map(({ note }) => note)).toEqual(
    heads.map(({ note }) => note),
  )
  expect(await actionsOf(server, of)).toContain('log_broken')
})

test('SEAL-09 a log that is gone raises the alarm, and the next one of the organisation names its head', async ({
  server,
}) => {
  const { of, org, eventUid } = await signed(server)
  const last = (await headsOf(server.db, of)).at(-1)
  for (const table of ['head_log', 'record_head', 'log_tile', 'record_log', 'journal'])
    await asOwner(server, sql`delete from ${sql.table(table)} where event_uid = ${eventUid}`)
  const other = await endedDrill(server, 1)
  await sealWhole(server, other.of)
  await signHead(signingOf(server), other.of)
  expect(await countBroken(server.db)).toBe(1)

  const next = await server.runningEvent(org)
  await writeEntry(server.db, { ...of, eventUid: next.eventUid }, 'unread_changed', {})
  await sealWhole(server, { ...of, eventUid: next.eventUid }).catch(() => undefined)

  const opened = (await server.journalOf(next.eventUid)).find(({ action }) => action === 'log_opened')
  expect(opened?.after).toEqual({
    serial: 2,
    previous: { serial: 1, event: eventUid, size: last?.size, root: last?.root.toString('base64'), gone: true },
  })
})
