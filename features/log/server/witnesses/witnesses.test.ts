import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdtempSync, rmSync } from 'node:fs'
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
import { openWitness } from './witness.fixture.ts'
import { askWitnesses } from './witnesses.service.ts'

/** A server of its own for each test: the log of heads is one for the installation. */
// biome-ignore lint/correctness/noEmptyPattern: a fixture names what it needs, and this one needs nothing
const test = base.extend('server', async ({}, { onCleanup }) => {
  const server = await startTestServer()
  onCleanup(() => server[Symbol.asyncDispose]())
  return server
})
const fail = (error: unknown) => {
  throw error
}

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

test('SEAL-08 a witness signs each growth of the log of heads, and the checker names it', async ({ server }) => {
  const witness = openWitness()
  const ask = () =>
    askWitnesses(
      {
        ...signingOf(server),
        callOut: witness.callOut,
        witnesses: [{ url: 'https://witness.example', key: witness.key }],
      },
      fail,
    )
  const of = await withHeads(server, 3)
  await ask()
  await ask()
  for (const _ of [1, 2, 3, 4]) await grow(server, of)
  await ask()

  expect([witness.statuses, witness.seen.size]).toEqual([[200, 200], 7])
  using bundle = await bundleNow(server, of)
  const { code, lines } = await bundle.check('--witness', witness.key)
  expect([code, lines[2]]).toEqual([0, expect.stringMatching(/^Witnessed by witness\.example on \d+ \w+ \d{4}\.$/)])
  const other = openWitness('other.example')
  expect((await bundle.check('--witness', other.key)).lines).toEqual([
    'BROKEN',
    'other.example did not sign this log of heads.',
  ])
})

test('SEAL-08 a witness that knows another size is asked once more from there; one that refuses a rewrite raises the alarm', async ({
  server,
}) => {
  const witness = openWitness()
  const troubles: unknown[] = []
  const ask = () =>
    askWitnesses(
      {
        ...signingOf(server),
        callOut: witness.callOut,
        witnesses: [{ url: 'https://witness.example', key: witness.key }],
      },
      (trouble) => troubles.push(trouble),
    )
  const of = await withHeads(server, 2)
  await ask()
  await sql`delete from witness_signature`.execute(server.database.owner.db)
  await grow(server, of)
  await ask()
  expect([witness.statuses, troubles, await countBroken(server.db)]).toEqual([[200, 409, 200], [], 0])

  await rewriteHeads(server)
  await grow(server, of)
  await ask()

  expect([witness.statuses.at(-1), troubles.length, await countBroken(server.db)]).toEqual([422, 1, 1])
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
        const troubles: unknown[] = []
        const callOut = openOutgoing({ outgoingProxy: '' })
        const ask = () =>
          askWitnesses(
            { ...signingOf(server), callOut, witnesses: [{ url: `http://127.0.0.1:${port}`, key }] },
            (trouble) => troubles.push(trouble),
          )
        const of = await withHeads(server, 3)
        await ask()
        await grow(server, of)
        await ask()
        expect([troubles, await countBroken(server.db)]).toEqual([[], 0])
        using bundle = await bundleNow(server, of)
        expect((await bundle.check('--witness', key)).lines).toContainEqual(
          expect.stringMatching(/^Witnessed by lite\.example\/w on /),
        )
        await rewriteHeads(server)
        await grow(server, of)
        await ask()
        expect([troubles.length, await countBroken(server.db)]).toEqual([1, 1])
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
