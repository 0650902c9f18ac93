import { readFileSync } from 'node:fs'
import { sql } from 'kysely'
import { expect } from 'vitest'
import { openPools } from '#server/testing/database.ts'
import {
  countJournal,
  endedDrill,
  runningDrill,
  sealable,
  sealTo,
  sealWhole,
  signerOf,
  writeEntry,
} from '#server/testing/event-log.ts'
import { test } from '#server/testing/server-test.ts'
import type { TestServer } from '#server/testing/test-server.ts'
import { getRecordChecker, listLogKeys } from '../calls.ts'
import { checkerFile } from './bundle.service.ts'
import { headsOf, rootAt, signDueHeads, signHead } from './heads.service.ts'
import { logWork } from './log.service.ts'
import type { LogOf } from './sealing.queries.ts'
import { openSigner, verifierKey } from './signed-note.ts'

const fail = (error: unknown) => {
  throw error
}
const due = (server: TestServer) => signDueHeads(server.db, signerOf(server), fail)
const sizesOf = async ({ db }: TestServer, of: LogOf) => (await headsOf(db, of)).map(({ size }) => size)

/** Makes the last head, or the start of the event, as old as that. */
async function age({ db }: TestServer, { eventUid }: LogOf, interval: string) {
  await sql`update record_log set head_at = head_at - ${interval}::interval where event_uid = ${eventUid}`.execute(db)
  await sql`update event set started_at = started_at - ${interval}::interval where uid = ${eventUid}`.execute(db)
}

test('LOG-05 a running event gets a head each hour, if the log has grown', async ({ server }) => {
  const { of, eventUid, record } = await runningDrill(server)
  const size = await countJournal(server, eventUid)
  await sealTo(server, of, size)

  await due(server)
  expect(await sizesOf(server, of)).toEqual([])
  await age(server, of, '61 minutes')
  await due(server)
  await age(server, of, '61 minutes')
  await due(server)
  expect(await sizesOf(server, of)).toEqual([size])
  await record(0, 'in danger')
  await sealTo(server, of, size + 1)
  await due(server)

  expect(await sizesOf(server, of)).toEqual([size, size + 1])
})

test('LOG-05 an ended event gets a head at once, and within a minute when its log has grown; all are kept', async ({
  server,
}) => {
  const { of, eventUid } = await endedDrill(server)
  const size = await sealWhole(server, of)
  await due(server)
  await writeEntry(server.db, of, 'unread_changed', {})
  await sealWhole(server, of)

  await due(server)
  expect(await sizesOf(server, of)).toEqual([size])
  await age(server, of, '61 seconds')
  await due(server)

  const heads = await headsOf(server.db, of)
  expect(heads.map((head) => head.size)).toEqual([size, size + 1])
  const host = new URL(server.config.appUrl).host
  for (const head of heads) {
    expect(head.root).toEqual(await rootAt(server.db, of, head.size))
    const text = `${host}/record/${eventUid}\n${head.size}\n${head.root.toString('base64')}\n\n— ${host} `
    expect(head.note.startsWith(text)).toBe(true)
  }
})

test('LOG-05 nodes that sign at once make one head, and the same again makes none', async ({ server }) => {
  const { of } = await endedDrill(server)
  const size = await sealWhole(server, of)
  await using other = openPools(server.database.connection)

  const signed = await Promise.all(
    Array.from({ length: 8 }, (_, at) => signHead(at % 2 ? other.system.db : server.db, signerOf(server), of)),
  )

  expect(new Set(signed.map((head) => head?.note)).size).toBe(1)
  expect(await sizesOf(server, of)).toEqual([size])
})

test('LOG-04 LOG-05 a worker seals what ended while none ran, and signs it, in one round', async ({ server }) => {
  const { of, eventUid } = await endedDrill(server)
  await sealable(server, eventUid)

  await logWork({ system: server.db, signer: signerOf(server), authority: undefined, onTrouble: fail })()

  expect(await sizesOf(server, of)).toEqual([await countJournal(server, eventUid)])
})

test('LOG-06 anyone may read the keys: the one that signs, and those that signed before a new secret', async ({
  server,
}) => {
  const { of } = await endedDrill(server)
  const size = await sealWhole(server, of)
  const { config, app, stranger } = server
  const former = openSigner(new Uint8Array(32).fill(9), config.appUrl)

  await signHead(server.db, former, of)
  const before = await stranger(listLogKeys, {})
  await writeEntry(server.db, of, 'unread_changed', {})
  await sealTo(server, of, size + 1)
  await signHead(server.db, signerOf({ app, config }), of)

  expect(before.keys.map(({ key }) => key)).toContain(verifierKey(former))
  const { keys } = await stranger(listLogKeys, {})
  const own = keys.find(({ key }) => key === verifierKey(signerOf(server)))
  expect(own?.since).toMatch(/^\d{4}-/)
  expect(new Set(keys.map(({ key }) => key)).size).toBe(keys.length)
})

test('SEAL-12 anyone may take the checker', async ({ server }) => {
  const answer = await server.app.inject({ url: getRecordChecker.path })

  expect(answer.headers['content-disposition']).toBe('attachment; filename="record-check.mjs"')
  expect(answer.headers['content-type']).toContain('text/javascript')
  expect(answer.body).toBe(readFileSync(checkerFile, 'utf8'))
})
