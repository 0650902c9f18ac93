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
  signingOf,
  writeEntry,
} from '#server/testing/event-log.ts'
import { test } from '#server/testing/server-test.ts'
import type { TestServer } from '#server/testing/test-server.ts'
import { getLogOfHeads, getRecordChecker, listLogKeys } from '../calls.ts'
import { checkerFile } from './bundle.service.ts'
import { headsOf, rootAt, signDueHeads, signHead } from './heads.service.ts'
import { logWork } from './log.service.ts'
import { getLog, type LogOf } from './sealing.queries.ts'
import { isSignedBy, openSigner, verifierKey } from './signed-note.ts'

const fail = (error: unknown) => {
  throw error
}
const due = (server: TestServer) => signDueHeads(signingOf(server), fail)
const sizesOf = async ({ db }: TestServer, of: LogOf) => (await headsOf(db, of)).map(({ size }) => size)

/** Makes the last head, or the start of the event, as old as that. */
async function age({ db }: TestServer, { eventUid }: LogOf, interval: string) {
  await sql`update record_log set head_at = head_at - ${interval}::interval where event_uid = ${eventUid}`.execute(db)
  await sql`update event set started_at = started_at - ${interval}::interval where uid = ${eventUid}`.execute(db)
}

test('SEAL-07 a running event gets a head at once, then every 10 minutes if its log has grown', async ({ server }) => {
  const { of, eventUid, record } = await runningDrill(server)
  const size = await countJournal(server, eventUid)
  await sealTo(server, of, size)

  await due(server)
  expect(await sizesOf(server, of)).toEqual([size])
  await record(0, 'in danger')
  await sealTo(server, of, size + 1)
  await due(server)
  expect(await sizesOf(server, of)).toEqual([size])
  await age(server, of, '601 seconds')
  await due(server)
  await age(server, of, '601 seconds')
  await due(server)

  expect(await sizesOf(server, of)).toEqual([size, size + 1])
})

test('SEAL-07 an ended event gets a head at once, and within a minute when its log has grown; all are kept', async ({
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
  const { serial } = await getLog(server.db, of)
  for (const head of heads) {
    expect(head.root).toEqual(await rootAt(server.db, of, head.size))
    const extension = `log 2 ${of.clientUid} ${serial}`
    const text = `${host}/record/${eventUid}\n${head.size}\n${head.root.toString('base64')}\n${extension}\n\n— ${host} `
    expect(head.note.startsWith(text)).toBe(true)
  }
})

test('SEAL-07 nodes that sign at once make one head, and the same again makes none', async ({ server }) => {
  const { of } = await endedDrill(server)
  const size = await sealWhole(server, of)
  await using other = openPools(server.database.connection)

  const signed = await Promise.all(
    Array.from({ length: 8 }, (_, at) =>
      signHead({ ...signingOf(server), system: at % 2 ? other.system.db : server.db }, of),
    ),
  )

  expect(new Set(signed.map((head) => head?.note)).size).toBe(1)
  expect(await sizesOf(server, of)).toEqual([size])
})

test('LOG-04 SEAL-07 a worker seals what ended while none ran, and then signs it', async ({ server }) => {
  const { of, eventUid } = await endedDrill(server)
  await sealable(server, eventUid)

  await logWork({ ...signingOf(server), onTrouble: fail })()
  await due(server)

  expect(await sizesOf(server, of)).toEqual([await countJournal(server, eventUid)])
})

test('LOG-06 anyone may read the keys: the one that signs, and those that signed before a new secret', async ({
  server,
}) => {
  const { of } = await endedDrill(server)
  const size = await sealWhole(server, of)
  const { config, stranger } = server
  const former = openSigner(new Uint8Array(32).fill(9), config.appUrl)

  await signHead({ ...signingOf(server), signer: former }, of)
  const before = await stranger(listLogKeys, {})
  await writeEntry(server.db, of, 'unread_changed', {})
  await sealTo(server, of, size + 1)
  await signHead(signingOf(server), of)

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

test('SEAL-08 anyone may read the newest checkpoint of the log of heads; it is signed, and counts the heads', async ({
  server,
}) => {
  const { of } = await endedDrill(server)
  await sealWhole(server, of)
  await signHead(signingOf(server), of)

  const { checkpoint } = await server.stranger(getLogOfHeads, {})

  const host = new URL(server.config.appUrl).host
  const { rows } = await sql<{ n: number }>`select max(n)::int as n from head_log`.execute(server.db)
  expect(checkpoint?.split('\n').slice(0, 2)).toEqual([`${host}/heads`, String(rows[0]?.n)])
  expect(isSignedBy(signerOf(server), checkpoint ?? '')).toBe(true)
})
