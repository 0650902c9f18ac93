import { expect } from 'vitest'
import { deviceHeader } from '#kernel/write-headers.ts'
import { forgetOldCounts } from '#server/platform/db/throttle.ts'
import { steppingClock } from '#server/testing/administrators.ts'
import { testsWithServer } from '#server/testing/server-test.ts'
import { startTestServer, type TestServer } from '#server/testing/test-server.ts'
import { login } from '../calls/sign-in.ts'

/** Stands still: guesses are counted in each quarter of an hour and in each hour. */
const clock = steppingClock()
const test = testsWithServer({ clock })

let networks = 0
const newNetwork = () => `10.${7 + (networks >> 8)}.${networks++ & 255}.7`

const signIn = (server: TestServer, email: string, password: string, remoteAddress: string, device?: string) =>
  server.app.inject({
    method: login.method,
    url: login.path,
    remoteAddress,
    headers: device === undefined ? {} : { [deviceHeader]: device },
    payload: { email, password },
  })

async function attempt(...tried: Parameters<typeof signIn>): Promise<number> {
  return (await signIn(...tried)).statusCode
}

/** Wrong passwords for names that no one has, all at once. */
const flood = (server: TestServer, count: number, network: string) =>
  Promise.all(
    Array.from({ length: count }, (_, i) => attempt(server, `nobody-${i}@evac.test`, 'wrong password', network)),
  )

const wardenOf = async (server: TestServer) => server.given.warden(await server.given.organisation())

test('LOGIN-56 T30 while an address tries three hundred names, and afterwards, a colleague behind it signs in at once', async () => {
  await using server = await startTestServer({ clock })
  const [during, after] = [await wardenOf(server), await wardenOf(server)]
  const network = newNetwork()
  const answered: string[] = []

  const statuses = await flood(server, 100, network)
  const flooded = flood(server, 200, network).finally(() => answered.push('flood'))
  const signedIn = attempt(server, during.email, 'evacuate1', network).finally(() => answered.push('colleague'))

  expect(await signedIn).toBe(200)
  expect(new Set([...statuses, ...(await flooded)])).toEqual(new Set([400]))
  expect(answered).toEqual(['colleague', 'flood'])
  expect(await attempt(server, after.email, 'evacuate1', network)).toBe(200)
})

test('LOGIN-56 T30 T9 where many guesses were wrong, a wrong answer waits, and a name has three tries, known or not', async () => {
  await using server = await startTestServer({ clock })
  const warden = await wardenOf(server)
  const network = newNetwork()
  await flood(server, 60, network)
  const guess = async (email: string) => {
    const start = performance.now()
    return { status: await attempt(server, email, 'wrong password', network), ms: performance.now() - start }
  }

  for (const email of [warden.email, 'nobody@evac.test']) {
    const answers = await Promise.all(Array.from({ length: 5 }, () => guess(email)))
    const wrong = answers.filter(({ status }) => status === 400)
    expect(answers.map(({ status }) => status).toSorted()).toEqual([400, 400, 400, 429, 429])
    for (const { ms } of wrong) expect(ms).toBeGreaterThan(990)
  }
  expect(await attempt(server, (await wardenOf(server)).email, 'evacuate1', network)).toBe(200)
})

test('LOGIN-56 T30 T11 guessing at one account from many addresses is bounded, and the warden at another gets in', async ({
  server,
}) => {
  const warden = await wardenOf(server)
  const guessing = Array.from({ length: 15 }, newNetwork)

  const answers: number[] = []
  for (const network of guessing)
    answers.push(
      ...(await Promise.all(
        Array.from({ length: 10 }, () => attempt(server, warden.email, 'wrong password', network)),
      )),
    )

  // a hundred from everywhere, then two from each address
  expect(answers.filter((status) => status === 400)).toHaveLength(100 + 5 * 2)
  expect(answers.filter((status) => status === 429)).toHaveLength(5 * 8)
  expect(await attempt(server, warden.email, 'evacuate1', guessing[14] as string)).toBe(429)
  expect(await attempt(server, warden.email, 'evacuate1', newNetwork())).toBe(200)
})

test.each([
  ['IPv4', '198.51.100.1', '198.51.100.77'],
  ['IPv6', '2001:db8:7:100::1', '2001:db8:7:900::1'],
])('LOGIN-56 T11 one %s line that guesses at a name does not lock its neighbours out', async (_, line, neighbour) => {
  await using server = await startTestServer({ clock })
  const warden = await wardenOf(server)
  const statuses = []
  for (let n = 0; n < 60; n++) statuses.push(await attempt(server, warden.email, 'wrong password', line))

  expect(statuses.filter((status) => status === 400)).toHaveLength(10)
  expect(await attempt(server, warden.email, 'evacuate1', neighbour)).toBe(200)
})

test('LOGIN-56 T30 a phone that has signed in before has tries of its own, for its own account alone', async ({
  server,
}) => {
  const [warden, other] = [await wardenOf(server), await wardenOf(server)]
  const network = newNetwork()
  const deviceOf = async ({ email }: typeof warden) =>
    (await signIn(server, email, 'evacuate1', newNetwork())).headers[deviceHeader] as string
  const [device, foreign] = [await deviceOf(warden), await deviceOf(other)]
  const tryAll = (password: string, own?: string) =>
    Promise.all(Array.from({ length: 11 }, () => attempt(server, warden.email, password, network, own)))

  expect((await tryAll('wrong password')).filter((status) => status === 429)).toHaveLength(1)
  for (const useless of [undefined, '', foreign, `${device.slice(0, -1)}x`, 'x'.repeat(8_000)])
    expect(await attempt(server, warden.email, 'evacuate1', network, useless)).toBe(429)
  expect(await attempt(server, warden.email, 'evacuate1', network, device)).toBe(200)

  expect((await tryAll('wrong password', device)).filter((status) => status === 429)).toHaveLength(1)
  expect(await attempt(server, warden.email, 'evacuate1', network, device)).toBe(429)
})

test('T30 counts that decide nothing any more are deleted', async ({ server }) => {
  const key = 'login/forget-me/10.9.9.9'
  const ago = (hours: number) => new Date(Date.now() - hours * 3_600_000)
  const row = (hours: number) => ({ key, windowStart: ago(hours), count: 1 })
  await server.db
    .insertInto('throttle')
    .values([row(3), row(1)])
    .execute()

  await forgetOldCounts(server.db)

  expect(await server.db.selectFrom('throttle').select('key').where('key', '=', key).execute()).toHaveLength(1)
})
