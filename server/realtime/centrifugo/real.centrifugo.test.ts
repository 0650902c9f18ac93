import { randomUUID } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { type CentrifugoRig, startCentrifugo } from '../../../rig/centrifugo.ts'
import { openOutgoing } from '../../platform/outgoing.ts'
import { deriveSecrets } from '../../platform/secrets.ts'
import { openTestDatabase } from '../../testing/database.ts'
import { runCommand } from '../../testing/run-command.ts'
import { secretKey } from '../../testing/test-server.ts'
import { testClients } from '../client-suite.fixture.ts'
import { openJournal } from '../feed/feed.fixture.ts'
import { createPostgresWakeUp } from '../feed/wake-up.ts'
import { Phone, silent } from '../hub/hub.fixture.ts'
import { signCentrifugoTokens } from '../hub/token.ts'
import { findPosition } from './centrifugo.queries.ts'
import { Centrifugo } from './centrifugo.ts'
import { Leader } from './leader.ts'

const key = deriveSecrets(secretKey).realtime
const appUrl = 'http://localhost:8080'
const folder = mkdtempSync(join(tmpdir(), 'evac-centrifugo-'))
const eventually = <T>(read: () => T) => expect.poll(read, { timeout: 20_000, interval: 10 })
let rig: CentrifugoRig

beforeAll(async () => {
  rig = await startCentrifugo(folder, { APP_URL: appUrl, SECRET_KEY: secretKey })
})
afterAll(async () => {
  await rig?.stop()
  rmSync(folder, { recursive: true, force: true })
})

/** Tokens as phones get them. */
function tokens(sub: string, channels: string[], seconds?: { first: number }) {
  const sign = (life?: number) => signCentrifugoTokens(key, { sub, channels, sid: `session of ${sub}` }, life)
  return {
    getToken: async () => (await sign()).token,
    channelToken: async (channel: string) => (await sign()).channelTokens[channel] ?? '',
    first: async () => (await sign(seconds?.first)).token,
  }
}
async function tokensOf(sub: string, channels: string[], seconds?: { first: number }) {
  const { getToken, channelToken, first } = tokens(sub, channels, seconds)
  return { getToken, channelToken, token: await first() }
}

const api = () => new Centrifugo(rig, openOutgoing({ outgoingProxy: '' }), silent)

async function openStage() {
  const journal = await openJournal()
  const leader = new Leader({
    db: journal.system,
    connection: journal.connection,
    centrifugo: api(),
    wakeUp: createPostgresWakeUp(journal.connection, silent),
    log: silent,
    pollMs: 50,
  })
  leader.start()
  // it begins at the newest entry
  await expect.poll(() => findPosition(journal.system)).toBeDefined()
  return {
    journal,
    url: rig.socketUrl,
    announce: () => leader.announce(),
    tokensOf,
    async [Symbol.asyncDispose]() {
      await leader.stop()
      await journal[Symbol.asyncDispose]()
    },
  }
}

describe('LIVE-09 with Centrifugo', () => testClients(openStage))

const openPhone = async (channels: string[], sub = randomUUID()) =>
  new Phone(rig.socketUrl, sub, channels, await tokensOf(sub, channels)).ready()
const patience = () => ({ patienceMs: 300, signal: new AbortController().signal })
const publish = (channel: string, n: number, version?: number) => ({
  publish: { channel, data: { n }, ...(version && { version, version_epoch: 'e' }) },
})

test('LIVE-03 a batch goes on after a command that fails, which is sent again alone', async () => {
  const channel = `event:${randomUUID()}`
  using phone = await openPhone([channel])

  const commands = [publish(channel, 1), publish('nowhere:1', 2)]

  await expect(api().tell(commands, patience())).rejects.toThrow('Centrifugo took 1 of 2 commands')
  await eventually(() => phone.received).toEqual([{ n: 1 }])
})

test('LIVE-03 what is not newer than the newest of its channel and epoch is dropped', async () => {
  const channel = `event:${randomUUID()}`
  using phone = await openPhone([channel])

  for (const version of [5, 5, 4, 6]) await api().tell([publish(channel, version, version)], patience())
  await api().tell([{ publish: { channel, data: { n: 1 }, version: 1, version_epoch: 'another' } }], patience())

  await eventually(() => phone.received).toEqual([{ n: 5 }, { n: 6 }, { n: 1 }])
})

test('LIVE-05 a message with the code 3503 is the last: the client does not come back', async () => {
  const sub = randomUUID()
  using phone = await openPhone([`event:${randomUUID()}`], sub)

  await api().tell([{ disconnect: { user: sub, disconnect: { code: 3503, reason: 'signed out' } } }], patience())

  await eventually(() => phone.log.at(-1)).toBe('disconnected 3503')
})

test('LIVE-11 a lost engine is told as such: phones that come back have recovered nothing', async ({ skip }) => {
  const { redis } = rig
  if (!redis) return skip('redis-server is missing')
  const channel = `event:${randomUUID()}`
  using phone = await openPhone([channel])
  await api().tell([publish(channel, 1, 1)], patience())
  await eventually(() => phone.received).toEqual([{ n: 1 }])

  await rig.flush()
  await api().tell([publish(channel, 2, 2)], patience())

  await eventually(() => phone.log).toContain('subscribed recovered=false')
  await api().tell([publish(channel, 3, 3)], patience())
  await eventually(() => phone.received.at(-1)).toEqual({ n: 3 })
})

test.for<[string, Record<string, string>, RegExp]>([
  ['that is right', {}, /ok +A phone is let in by its token, and to its channels alone/],
  ['with another key of the API', { CENTRIFUGO_API_KEY: 'wrong' }, /FAULT .*: Centrifugo refuses CENTRIFUGO_API_KEY/],
  [
    'with another secret',
    { SECRET_KEY: 'another secret for tests, long enough' },
    /FAULT +.* does not accept the tokens of Evac/,
  ],
  ['for another page', { APP_URL: 'http://localhost:9999' }, /FAULT +Centrifugo lets no phone in/],
])('LIVE-01 the doctor tells of a Centrifugo %s', async ([, over, told]) => {
  await using database = await openTestDatabase()
  const settings = { ...rig.settings, SECRET_KEY: secretKey, APP_URL: appUrl, ...over }
  for (const [name, value] of Object.entries(settings)) vi.stubEnv(name, value)

  const { stdout } = await runCommand('commands/doctor-main.ts', database)

  expect(stdout).toMatch(told)
  expect(stdout.match(/FAULT .*Centrifugo/g) ?? []).toHaveLength(Object.keys(over).length)
})

test('LIVE-02 a subscription outlives its token for as long as its connection lasts', async () => {
  const channel = `event:${randomUUID()}`
  const sub = randomUUID()
  const short = await signCentrifugoTokens(key, { sub, channels: [channel], sid: 'a' }, 2)
  const long = await signCentrifugoTokens(key, { sub, channels: [channel], sid: 'a' })
  using phone = new Phone(rig.socketUrl, sub, [channel], {
    token: long.token,
    channelToken: async () => short.channelTokens[channel] ?? '',
  })
  await phone.ready()

  await new Promise((done) => setTimeout(done, 3000))
  await api().tell([publish(channel, 1)], patience())

  await eventually(() => phone.received).toEqual([{ n: 1 }])
})
