import { expect } from 'vitest'
import type { Warden } from '#server/testing/given-wardens.ts'
import { test } from '#server/testing/server-test.ts'
import { startTestServer, type TestServer } from '#server/testing/test-server.ts'

const office = '203.0.113.1'
const elsewhere = '198.51.100.7'

/** A sign-in from a network; answers its status. */
async function attempt(server: TestServer, { email }: Warden, password: string, network = office): Promise<number> {
  const response = await server.app.inject({
    method: 'POST',
    url: '/api/v2/auth/login',
    remoteAddress: network,
    payload: { email, password },
  })
  return response.statusCode
}

async function failTenTimes(server: TestServer, warden: Warden) {
  for (let i = 0; i < 10; i++) expect(await attempt(server, warden, 'wrong password')).toBe(400)
}

test('LOGIN-56 T11 the eleventh guess is 429, and so is the right password then', async ({ server }) => {
  const warden = await server.given.warden(await server.given.organisation())

  await failTenTimes(server, warden)

  expect(await attempt(server, warden, 'wrong password')).toBe(429)
  expect(await attempt(server, warden, 'evacuate1')).toBe(429)
})

test('LOGIN-56 T11 guessing locks no one else out: not the warden elsewhere, not the colleague at the next desk', async ({
  server,
}) => {
  const org = await server.given.organisation()
  const [warden, colleague] = [await server.given.warden(org), await server.given.warden(org)]

  await failTenTimes(server, warden)

  expect(await attempt(server, warden, 'evacuate1', elsewhere)).toBe(200)
  expect(await attempt(server, colleague, 'evacuate1')).toBe(200)
})

test('LOGIN-56 T11 the next address of the same IPv6 line has no tries of its own', async ({ server }) => {
  const warden = await server.given.warden(await server.given.organisation())

  const answers: number[] = []
  for (let last = 1; last <= 11; last++)
    answers.push(await attempt(server, warden, 'wrong password', `2001:db8:7:7::${last}`))

  expect(answers).toEqual([...Array(10).fill(400), 429])
  expect(await attempt(server, warden, 'evacuate1', '2001:db8:7:8::1')).toBe(200)
})

test('LOGIN-56 T11 the throttle ends after fifteen minutes', async () => {
  const clock = { time: Date.parse('2026-03-01T10:00:00Z'), now: () => new Date(clock.time) }
  await using server = await startTestServer({ clock })
  const warden = await server.given.warden(await server.given.organisation())
  await failTenTimes(server, warden)

  clock.time += 15 * 60_000

  expect(await attempt(server, warden, 'wrong password')).toBe(400)
})

test('LOGIN-56 a right password forgets the wrong ones before it', async ({ server }) => {
  const warden = await server.given.warden(await server.given.organisation())

  for (let round = 0; round < 3; round++) {
    for (let i = 0; i < 9; i++) expect(await attempt(server, warden, 'wrong password')).toBe(400)
    expect(await attempt(server, warden, 'evacuate1')).toBe(200)
  }
})

test('LOGIN-56 T11 sixty guesses sent at once are no more than ten', async ({ server }) => {
  const warden = await server.given.warden(await server.given.organisation())

  const answers = await Promise.all(Array.from({ length: 60 }, () => attempt(server, warden, 'wrong password')))

  expect(Map.groupBy(answers, (status) => status).get(400)?.length).toBe(10)
  expect(answers.filter((status) => status === 429)).toHaveLength(50)
})

test('T11 a whole office signs in from one address at once', async ({ server }) => {
  const org = await server.given.organisation()
  const wardens = await Promise.all(Array.from({ length: 40 }, () => server.given.warden(org)))

  const answers = await Promise.all(wardens.map((warden) => attempt(server, warden, 'evacuate1')))

  expect(new Set(answers)).toEqual(new Set([200]))
})

test('T9 an unknown name takes as long as a wrong password', async () => {
  await using server = await startTestServer()
  const warden = await server.given.warden(await server.given.organisation())
  const nobody = { ...warden, email: 'nobody@evac.test' }
  await attempt(server, nobody, 'wrong password')

  const known: number[] = []
  const unknown: number[] = []
  for (let i = 0; i < 9; i++) {
    known.push(await timed(() => attempt(server, warden, 'wrong password')))
    unknown.push(await timed(() => attempt(server, nobody, 'wrong password')))
  }

  expect(median(unknown)).toBeGreaterThan(median(known) * 0.5)
  expect(median(unknown)).toBeLessThan(median(known) * 2)
})

async function timed(work: () => Promise<unknown>): Promise<number> {
  const start = performance.now()
  await work()
  return performance.now() - start
}
const median = (numbers: number[]) => numbers.toSorted((a, b) => a - b)[Math.floor(numbers.length / 2)] as number
