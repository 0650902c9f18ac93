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

/** Answers of an unmodified request that are no 200. */
const usualAnswers: Record<string, number> = {
  // no one here has an authenticator at hand
  confirmEnrolment: 400,
  confirmIdentity: 400,
  // the session that it opens is forgotten
  giveCode: 401,
  // an account with a password needs no link
  showInvitation: 409,
}
/** Answers of requests that were read: a spoilt ticket or code is a wrong sign-in, and an account gets few links. */
const read: Record<string, string[]> = {
  giveCode: ['401', '429'],
  startEnrolment: ['401'],
  confirmEnrolment: ['401', '429'],
  confirmIdentity: ['429'],
  sendPasswordLink: ['429'],
}
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
  // signed ones are rejected unread, and an installation is set up once
  .filter(({ policy, name }) => !(policy.access === 'public' && policy.signed) && name !== 'setUp')
  .flatMap((call) => kinds.filter((kind) => hasFields(call, kind)).map((kind) => ({ call, kind, name: call.name })))

test.for(cases)(
  'T18 sqlmap finds no injection in the $kind of $name',
  { timeout: 200_000 },
  async ({ call, kind }, { product }) => {
    const unmodified = await product.sendUnmodified(call, kind)
    expect(unmodified).toMatchObject({ status: usualAnswers[call.name] ?? 200 })
    const count = await product.counting(call.path)

    const { outcome, requests, output } = await runSqlmap((await product.requestFor(call, kind)).text, {
      ...effort[kind],
      delay: call.perMinute ? 60 / call.perMinute : 0,
      ignoredCode: read[call.name]?.includes('401') ? 401 : undefined,
    })

    const answers = await count()
    console.log(`${call.name}, ${kind}: ${outcome} after ${requests} requests, answers`, answers)
    expect(outcome, output.slice(-3000)).toMatch(/nothing|stopped/)
    expect(requests).toBeGreaterThan(20)
    const wasRead = (status: string) => !isTrouble(status) || read[call.name]?.includes(status)
    expect(Object.keys(answers).filter((status) => !wasRead(status))).toEqual([])
  },
)
