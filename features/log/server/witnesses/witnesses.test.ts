import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import type { ServerResponse } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { setTimeout as delay } from 'node:timers/promises'
import { sql } from 'kysely'
import { test as base, expect } from 'vitest'
import { openOutgoing } from '#server/platform/outgoing.ts'
import { bundleNow, endedDrill, sealWhole, signingOf, writeEntry } from '#server/testing/event-log.ts'
import { startTestServer, type TestServer } from '#server/testing/test-server.ts'
import { countBroken } from '../head-log/head-log.queries.ts'
import { signHead } from '../heads.service.ts'
import { sha256 } from '../merkle.ts'
import type { LogOf } from '../sealing.queries.ts'
import { verifierKey } from '../signed-note.ts'
import { startWitness } from './witness.fixture.ts'
import { askWitnesses } from './witnesses.service.ts'

/** A server of its own for each test: the log of heads is one for the installation. */
// biome-ignore lint/correctness/noEmptyPattern: a fixture names what it needs, and this one needs nothing
const test = base.extend('server', async ({}, { onCleanup }) => {
  const server = await startTestServer()
  onCleanup(() => server[Symbol.asyncDispose]())
  return server
})

/** A log with so many heads. */
async function withHeads(server: TestServer, count: number) {
  const { of } = await endedDrill(server)
  await sealWhole(server, of)
  await signHead(signingOf(server), of)
  for (let n = 1; n < count; n++) await grow(server, of)
  return of
}
async function grow(server: TestServer, of: LogOf) {
  await writeEntry(server.db, of, 'unread_changed', {})
  await sealWhole(server, of)
  await signHead(signingOf(server), of)
}
const rewriteHeads = (server: TestServer) =>
  sql`update head_log set hash = ${sha256('another history')} where n = 1`.execute(server.database.owner.db)

type Witness = Awaited<ReturnType<typeof startWitness>>
const callOut = openOutgoing({ outgoingProxy: '' })

/** Asks the witnesses as a worker does. Returns what was trouble. */
async function ask(server: TestServer, ...witnesses: Pick<Witness, 'url' | 'key'>[]) {
  const troubles: string[] = []
  await askWitnesses({ ...signingOf(server), callOut, witnesses }, (trouble) =>
    troubles.push((trouble as Error).message),
  )
  return troubles
}
const forget = (server: TestServer) => sql`delete from witness_signature`.execute(server.database.owner.db)

test('SEAL-08 a witness signs each growth of the log of heads, and the checker names it', async ({ server }) => {
  await using witness = await startWitness()
  const of = await withHeads(server, 3)
  await ask(server, witness)
  await ask(server, witness)
  for (const _ of [1, 2, 3, 4]) await grow(server, of)
  expect(await ask(server, witness)).toEqual([])

  expect([witness.statuses, witness.seen.size]).toEqual([[200, 200], 7])
  using bundle = await bundleNow(server, of)
  const { code, lines } = await bundle.check('--witness', witness.key)
  expect([code, lines[2]]).toEqual([0, expect.stringMatching(/^Witnessed by witness\.example on \d+ \w+ \d{4}\.$/)])
  await using other = await startWitness('other.example')
  expect((await bundle.check('--witness', other.key)).lines).toEqual([
    'BROKEN',
    'other.example did not sign this log of heads.',
  ])
})

test('SEAL-08 a witness that knows another size is asked once more from there; one that refuses a rewrite raises the alarm', async ({
  server,
}) => {
  await using witness = await startWitness()
  const of = await withHeads(server, 2)
  await ask(server, witness)
  await forget(server)
  await grow(server, of)
  expect(await ask(server, witness)).toEqual([])
  expect([witness.statuses, await countBroken(server.db)]).toEqual([[200, 409, 200], 0])

  await rewriteHeads(server)
  await grow(server, of)

  expect(await ask(server, witness)).toHaveLength(1)
  expect([witness.statuses.at(-1), await countBroken(server.db)]).toEqual([422, 1])
})

test('SEAL-08 a log of heads that was cut short raises the alarm: the witness has signed more than there is', async ({
  server,
}) => {
  await using witness = await startWitness()
  await withHeads(server, 4)
  await ask(server, witness)
  await forget(server)
  await sql`delete from head_log where n > 2`.execute(server.database.owner.db)

  expect(await ask(server, witness)).toHaveLength(1)

  expect([witness.statuses, await countBroken(server.db)]).toEqual([[200, 409], 1])
})

test('SEAL-08 a witness that always names the size that we sent raises the alarm, one with another answer does not', async ({
  server,
}) => {
  await withHeads(server, 2)
  const answers: [number, string, number][] = [
    [409, '0\n', 1],
    [409, 'nonsense', 0],
    [409, '', 0],
    [404, '', 0],
    [500, '0\n', 0],
    [200, '', 0],
    [200, '— witness.example AAAA\n', 0],
  ]
  for (const [status, body, broken] of answers) {
    await using witness = await startWitness('witness.example', (response) => {
      response.writeHead(status, { 'content-type': 'text/x.tlog.size' }).end(body)
      return true
    })
    expect(await ask(server, witness)).toHaveLength(1)
    expect([status, body, await countBroken(server.db)]).toEqual([status, body, broken])
    await sql`delete from witness_refusal`.execute(server.database.owner.db)
  }
})

test('SEAL-08 a witness has 10 s and 64 kB, and is asked again in the next round, as long as the newest head is of this day', {
  timeout: 60_000,
}, async ({ server }) => {
  const of = await withHeads(server, 2)
  const wrong: ((response: ServerResponse) => unknown)[] = [
    (response) => setTimeout(() => response.writeHead(200).end('late'), 11_000).unref(),
    (response) => response.writeHead(200).end('x'.repeat(64 * 1024 + 1)),
    (response) => response.writeHead(307, { location: '/add-checkpoint' }).end(),
    (response) => response.destroy(),
  ]
  await using witness = await startWitness('witness.example', (response, nth) => {
    wrong[nth - 1]?.(response)
    return nth <= wrong.length
  })
  const begun = performance.now()
  expect(await ask(server, witness)).toEqual([expect.stringMatching(/timeout|aborted/i)])
  expect(performance.now() - begun).toBeLessThan(11_000)
  expect(await ask(server, witness)).toEqual([expect.stringContaining('answered with more than 64 kB')])
  expect(await ask(server, witness)).toEqual([expect.stringContaining('answered with a redirect')])
  expect(await ask(server, witness)).toHaveLength(1)
  expect([await countBroken(server.db), witness.statuses]).toEqual([0, []])

  const age = (by: string) => sql`update head_log set at = at - ${by}::interval`.execute(server.database.owner.db)
  await age('25 hours')
  expect([await ask(server, witness), witness.statuses]).toEqual([[], []])
  await grow(server, of)
  expect([await ask(server, witness), witness.statuses]).toEqual([[], [200]])
})

test('SEAL-08 two workers at once have one signature of each witness, and one that is away holds no other back', async ({
  server,
}) => {
  await withHeads(server, 3)
  await using witness = await startWitness()
  const away = { url: 'http://127.0.0.1:9', key: witness.key.replace('witness.example', 'away.example') }

  const troubles = await Promise.all([1, 2, 3, 4].map(() => ask(server, away, witness)))

  expect(troubles.map(({ length }) => length)).toEqual([1, 1, 1, 1])
  const { rows } = await sql`select from witness_signature`.execute(server.db)
  expect([rows.length, await countBroken(server.db)]).toEqual([1, 0])
})

/** Built by `go install filippo.io/torchwood/cmd/litewitness@v0.6.1`. */
const litewitness = process.env.LITEWITNESS ?? ''

test.skipIf(!existsSync(litewitness))(
  'SEAL-08 litewitness signs the log of heads and refuses a rewrite (needs LITEWITNESS, the path of that program, and ssh-agent)',
  { timeout: 120_000 },
  async ({ server }) => {
    const folder = mkdtempSync(join(tmpdir(), 'evac-witness-'))
    const at = (name: string) => join(folder, name)
    const agent = spawn('ssh-agent', ['-D', '-a', at('agent.sock')], { stdio: 'ignore' })
    try {
      await expect.poll(() => existsSync(at('agent.sock'))).toBe(true)
      execFileSync('ssh-keygen', ['-q', '-t', 'ed25519', '-N', '', '-f', at('key')])
      execFileSync('ssh-add', ['-q', at('key')], { env: { ...process.env, SSH_AUTH_SOCK: at('agent.sock') } })
      const fingerprint = String(execFileSync('ssh-keygen', ['-l', '-f', `${at('key')}.pub`])).split(' ')[1] ?? ''
      const port = 20_000 + Math.floor(Math.random() * 20_000)
      const words = [
        '-name',
        'lite.example/w',
        '-db',
        at('w.db'),
        '-ssh-agent',
        at('agent.sock'),
        '-key',
        fingerprint,
        '-listen',
        `127.0.0.1:${port}`,
      ]
      const child = spawn(litewitness, words, { stdio: ['ignore', 'pipe', 'pipe'] })
      try {
        let said = ''
        child.stdout.on('data', (piece) => (said += piece))
        child.stderr.on('data', (piece) => (said += piece))
        await expect
          .poll(() => /lite\.example\/w\+[0-9a-f]{8}\+[\w+/=]+/.exec(said)?.[0], { timeout: 10_000 })
          .toBeDefined()
        const key = /lite\.example\/w\+[0-9a-f]{8}\+[\w+/=]+/.exec(said)?.[0] ?? ''
        const { signer } = signingOf(server)
        const db = new DatabaseSync(at('w.db'))
        db.exec(`insert into log values ('${signer.name}/heads', 0, '${sha256('').toString('base64')}')`)
        db.exec(`insert into key values ('${signer.name}/heads', '${verifierKey(signer)}')`)
        db.close()
        const lite = { url: `http://127.0.0.1:${port}`, key }
        const of = await withHeads(server, 3)
        expect(await ask(server, lite)).toEqual([])
        await grow(server, of)
        expect(await ask(server, lite)).toEqual([])
        expect(await countBroken(server.db)).toBe(0)
        using bundle = await bundleNow(server, of)
        expect((await bundle.check('--witness', key)).lines).toContainEqual(
          expect.stringMatching(/^Witnessed by lite\.example\/w on /),
        )
        await rewriteHeads(server)
        await grow(server, of)
        expect(await ask(server, lite)).toHaveLength(1)
        expect(await countBroken(server.db)).toBe(1)
      } finally {
        child.kill()
        await Promise.race([once(child, 'exit'), delay(2_000)])
      }
    } finally {
      agent.kill()
      rmSync(folder, { recursive: true, force: true })
    }
  },
)
