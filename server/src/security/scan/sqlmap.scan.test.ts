import { test as base, expect } from 'vitest'
import { openTestDatabase } from '../../testing/database.ts'
import { calls } from '../authorisation/ask.fixture.ts'
import { startLeakyServer } from './leaky-server.fixture.ts'
import { hasFields, kinds } from './marked-requests.fixture.ts'
import { isTrouble, startScanServer } from './scan-server.fixture.ts'
import { runSqlmap } from './sqlmap.fixture.ts'

// biome-ignore lint/correctness/noEmptyPattern: a fixture names what it needs, and this one needs nothing
const test = base.extend('product', { scope: 'file' }, async ({}, { onCleanup }) => {
  const product = await startScanServer()
  onCleanup(() => product[Symbol.asyncDispose]())
  return product
})

/**
 * These end the asker's own session or offer, so a second request is rejected. Signed calls are rejected before they
 * are read.
 */
const readOnce = new Set([
  ...['logout', 'rejoin', 'updateAssignmentStatus', 'signOutOfConsole', 'revokeAdministrator'],
  // a ticket and a code count once, and an installation is set up once
  ...['giveCode', 'startEnrolment', 'confirmEnrolment', 'confirmIdentity', 'setUp'],
])
const effort = {
  texts: { level: 3, risk: 2, seconds: Number(process.env.SCAN_SECONDS ?? 60) },
  choices: { level: 1, risk: 1, seconds: 30 },
}

test('T18 sqlmap finds the hole in a vulnerable server', { timeout: 200_000 }, async () => {
  await using database = await openTestDatabase({ empty: true })
  await using leaky = await startLeakyServer(database.owner.db)

  const { outcome } = await runSqlmap(`GET /?text=abc* HTTP/1.1\r\nhost: ${leaky.host}\r\n\r\n`, effort.texts)

  expect(outcome).toBe('injectable')
})

const cases = calls
  .filter(({ policy, name }) => !(policy.access === 'public' && policy.signed) && !readOnce.has(name))
  .flatMap((call) => kinds.filter((kind) => hasFields(call, kind)).map((kind) => ({ call, kind, name: call.name })))

test.for(cases)(
  'T18 sqlmap finds no injection in the $kind of $name',
  { timeout: 200_000 },
  async ({ call, kind }, { product }) => {
    const undoing = product.undoing(call)
    if (undoing) await product.send(undoing, call.name)
    const unmodified = await product.send(call)
    expect(unmodified).toMatchObject({ status: 200 })
    const count = await product.counting(call.path)

    const { outcome, requests, output } = await runSqlmap(product.requestFor(call, kind).text, {
      ...effort[kind],
      delay: call.perMinute ? 60 / call.perMinute : 0,
      before: undoing && product.requestFor(undoing, null, call.name).text,
    })

    const answers = await count()
    console.log(`${call.name}, ${kind}: ${outcome} after ${requests} requests, answers`, answers)
    expect(outcome, output.slice(-3000)).toMatch(/nothing|stopped/)
    expect(requests).toBeGreaterThan(20)
    expect(Object.keys(answers).filter(isTrouble)).toEqual([])
  },
)
