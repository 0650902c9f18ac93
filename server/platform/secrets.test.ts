import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Worker } from 'node:worker_threads'
import { expect, test } from 'vitest'
import { loadSecretKey, newToken, sealedHashes } from './secrets.ts'

const rounds = 300

/** Requests the secret of one new folder after another, at the same moment as the other thread. */
const racer = `
  const { parentPort, workerData } = require('node:worker_threads')
  const { module, folder, rounds, counter } = workerData
  import(module).then(({ loadSecretKey }) => {
    const secrets = []
    for (let round = 1; round <= rounds; round++) {
      if (Atomics.add(counter, 0, 1) + 1 === 2 * round) Atomics.notify(counter, 0)
      for (let seen; (seen = Atomics.load(counter, 0)) < 2 * round; ) Atomics.wait(counter, 0, seen, 100)
      secrets.push(loadSecretKey(undefined, folder + '/' + round))
    }
    parentPort.postMessage(secrets)
  })`

test('RT-11 nodes that start at once on a new shared data folder agree on its secret', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'evac-secret-'))
  const counter = new Int32Array(new SharedArrayBuffer(4))
  const workerData = { module: join(import.meta.dirname, 'secrets.ts'), folder, rounds, counter }
  const race = async () => (await once(new Worker(racer, { eval: true, workerData }), 'message'))[0] as string[]

  const [first, second] = await Promise.all([race(), race()])

  expect(first).toEqual(second)
  expect(new Set(first).size).toBe(rounds)
  expect(statSync(join(folder, '1/secret')).mode & 0o777).toBe(0o600)
  rmSync(folder, { recursive: true })
})

test('T25 a secret file emptied by a full disk or a power cut is not accepted', () => {
  const folder = mkdtempSync(join(tmpdir(), 'evac-secret-'))
  writeFileSync(join(folder, 'secret'), '')

  expect(() => loadSecretKey(undefined, folder)).toThrow('is incomplete: delete it')
  rmSync(folder, { recursive: true })
})

test('T24 tokens of ours keep their hash, also when there are more than are remembered; a made-up one never has one', () => {
  const ours = randomBytes(32)
  const hashOf = sealedHashes([randomBytes(32), ours], 2)
  const tokens = Array.from({ length: 3 }, () => newToken(ours))
  const madeUp = newToken(randomBytes(32))

  const hashes = tokens.map(hashOf)

  expect(new Set(hashes).size).toBe(3)
  expect(tokens.map(hashOf)).toEqual(hashes)
  expect([hashOf(madeUp), hashOf(madeUp), hashOf('')]).toEqual([undefined, undefined, undefined])
})
