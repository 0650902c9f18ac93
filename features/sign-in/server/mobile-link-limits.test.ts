import { expect } from 'vitest'
import type { ClientUid } from '#kernel/ids.ts'
import { wardenOf } from '#server/testing/post.ts'
import { test } from '#server/testing/server-test.ts'
import { startTestServer, type TestServer } from '#server/testing/test-server.ts'
import { sendTexts, textsOn } from '#server/testing/texts.ts'
import { newToken, request, sent, textRows, tooMany, unknown, verify } from './mobile-link.fixture.ts'

test('LOGIN-54 T10 the sixth request for a number is refused, from wherever it comes', async ({ server }) => {
  const { mobile } = await wardenOf(server)

  for (let i = 0; i < 5; i++) expect(await request(server, mobile)).toEqual(sent)

  expect(await request(server, mobile)).toEqual(tooMany)
  expect(await request(server, `+${mobile}`)).toEqual(tooMany)
})

test('LOGIN-54 five in any five minutes: each place is free again when its own five minutes are over', async () => {
  const clock = { time: Date.parse('2026-03-01T10:02:00Z'), now: () => new Date(clock.time) }
  await using server = await startTestServer({ clock })
  const { mobile } = await wardenOf(server)
  const minute = 60_000
  await request(server, mobile)
  clock.time += 2 * minute
  for (let i = 0; i < 4; i++) await request(server, mobile)

  // a window by the clock would begin anew at 10:05
  clock.time += 2.9 * minute
  expect(await request(server, mobile)).toEqual(tooMany)

  clock.time += 0.1 * minute
  expect(await request(server, mobile)).toEqual(sent)
  expect(await request(server, mobile)).toEqual(tooMany)
})

test('LOGIN-54 T30 after three hundred requests from one address, for numbers that no one has, a colleague behind it is texted', async ({
  server,
}) => {
  const { mobile } = await wardenOf(server)
  const network = '198.51.100.20'
  const numbers = Array.from({ length: 300 }, (_, i) => `6140099${1000 + i}`)

  expect(await Promise.all(numbers.map((number) => request(server, number, network)))).toEqual(
    numbers.map(() => unknown),
  )
  const start = performance.now()
  const guess = request(server, '61400981000', network).then(() => performance.now() - start)
  expect(await request(server, mobile, network)).toEqual(sent)
  await sendTexts(server)

  expect(await textsOn(server, mobile)).toHaveLength(1)
  // anyone who tries numbers out waits
  expect(await guess).toBeGreaterThan(1_900)
})

test('T10 fifty requests at once are five texts; a number that no one has is never texted', async () => {
  await using server = await startTestServer()
  const { mobile } = await wardenOf(server)

  const answers = await Promise.all(Array.from({ length: 50 }, () => request(server, mobile)))
  await Promise.all(Array.from({ length: 50 }, (_, i) => request(server, `6140098${1000 + i}`)))

  expect(answers.filter(({ status }) => status === 200)).toHaveLength(5)
  const rows = await textRows(server)
  expect(rows.map(({ toMobile }) => toMobile)).toEqual(Array.from({ length: 5 }, () => mobile))
})

const noneLeft = {
  status: 200,
  body: {
    mobile: 'invalid',
    popup_text:
      'No more sign-in links can be sent today. Please sign in with your email / username, or ask an event manager for a report-in link.',
  },
}
const setBudget = ({ db }: TestServer, { clientUid }: { clientUid: ClientUid }, smsDailySignInLinks: number) =>
  db.updateTable('client').set({ smsDailySignInLinks }).where('uid', '=', clientUid).execute()

test('T32 with the pot of the day empty the one who asks is told so, with another way; the link of before stays good', async ({
  server,
}) => {
  const warden = await wardenOf(server)
  await setBudget(server, warden, 1)
  const token = await newToken(server, warden)

  expect(await request(server, warden.mobile)).toEqual(noneLeft)

  await sendTexts(server)
  expect(await textsOn(server, warden.mobile)).toHaveLength(1)
  expect(await verify(server, token)).toMatchObject({ tokenStatus: 'valid' })
})

test('T32 one network gets a quarter of the pot of the day, another one its own', async ({ server }) => {
  const org = await server.given.organisation()
  const wardens = await Promise.all(Array.from({ length: 4 }, () => server.given.warden(org)))
  await setBudget(server, org, 8)
  const [network, elsewhere] = ['203.0.113.1', '203.0.113.2']

  const answers = []
  for (const { mobile } of wardens) answers.push(await request(server, mobile, network))

  expect(answers).toEqual([sent, sent, noneLeft, noneLeft])
  expect(await request(server, wardens[2]?.mobile ?? null, elsewhere)).toEqual(sent)
})

test('T32 NET-01 the lines of one site get half of the pot of the day, and someone elsewhere the rest', async ({
  server,
}) => {
  const org = await server.given.organisation()
  const wardens = await Promise.all(Array.from({ length: 6 }, () => server.given.warden(org)))
  await setBudget(server, org, 8)

  const answers = []
  for (const [line, { mobile }] of wardens.entries())
    answers.push(await request(server, mobile, `2001:db8:50:${line}00::7`))

  expect(answers).toEqual([sent, sent, sent, sent, noneLeft, noneLeft])
  expect(await request(server, wardens[5]?.mobile ?? null, '2001:db8:51::7')).toEqual(sent)
})

test('T32 a number gets ten links a day from one network, and more from another', async () => {
  const clock = { time: Date.parse('2026-03-01T10:00:00Z'), now: () => new Date(clock.time) }
  await using server = await startTestServer({ clock })
  const { mobile } = await wardenOf(server)
  const [network, elsewhere] = ['203.0.113.3', '203.0.113.4']
  for (let i = 0; i < 10; i++) {
    expect(await request(server, mobile, network)).toEqual(sent)
    clock.time += 61_000
  }

  expect(await request(server, mobile, network)).toEqual(noneLeft)
  clock.time += 61_000
  expect(await request(server, mobile, elsewhere)).toEqual(sent)
})
