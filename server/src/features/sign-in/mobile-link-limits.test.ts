import { expect } from 'vitest'
import { test } from '../../testing/server-test.ts'
import { startTestServer } from '../../testing/test-server.ts'
import { sendTexts, textsOn } from '../../testing/texts.ts'
import { request, sent, textRows, tooMany, unknown, wardenOf } from './mobile-link.fixture.ts'

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

test('LOGIN-54 T30 after three hundred requests from one address, for numbers that nobody has, a colleague behind it is texted', async ({
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
  // whoever tries numbers out waits
  expect(await guess).toBeGreaterThan(1_900)
})

test('T10 fifty requests at once are five texts; a number that nobody has is never texted', async () => {
  await using server = await startTestServer()
  const { mobile } = await wardenOf(server)

  const answers = await Promise.all(Array.from({ length: 50 }, () => request(server, mobile)))
  await Promise.all(Array.from({ length: 50 }, (_, i) => request(server, `6140098${1000 + i}`)))

  expect(answers.filter(({ status }) => status === 200)).toHaveLength(5)
  const rows = await textRows(server)
  expect(rows.map(({ toMobile }) => toMobile)).toEqual(Array.from({ length: 5 }, () => mobile))
})
