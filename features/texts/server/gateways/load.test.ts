import fc from 'fast-check'
import { expect, test } from 'vitest'
import { letTimePass, states, waitingTexts } from '../sms.fixture.ts'
import { claimTexts } from '../sms.queries.ts'
import { startCentre, startServerOn } from './smpp.fixture.ts'

const count = 600
const window = 10

test('F3 F4 F11 six hundred texts, a killed worker, two cut lines, every receipt twice: none lost, only those in flight doubled', {
  timeout: 60_000,
}, async () => {
  await using centre = await startCentre((nth) => (nth === 150 || nth === 400 ? 'cut' : undefined))
  await using server = await startServerOn(centre, { window })
  await waitingTexts(server, count)
  const isLost = (to: string) => to.endsWith('0')

  // a worker that took a batch and was killed before it sent any of it
  await claimTexts(server.db, 50)
  await server.send()
  await letTimePass(server)
  await expect.poll(() => centre.bound()).toBe(1)
  await server.send()
  await letTimePass(server)
  await server.send()

  const copies = [...Map.groupBy(centre.taken, ({ to }) => to).values()].map(({ length }) => length)
  expect(copies).toHaveLength(count)
  expect(copies.filter((n) => n > 1).length).toBeLessThanOrEqual(2 * window)

  const receipts = [...centre.taken, ...centre.taken].map(({ id, to }) => ({
    id,
    stat: isLost(to) ? 'UNDELIV' : 'DELIVRD',
  }))
  const [shuffled = []] = fc.sample(fc.shuffledSubarray(receipts, { minLength: receipts.length }), {
    numRuns: 1,
    seed: 7,
  })
  const confirmed = await Promise.all(shuffled.map(({ id, stat }) => centre.receipt(id, stat)))

  expect(new Set(confirmed)).toEqual(new Set([0]))
  const lost = [...new Set(centre.taken.map(({ to }) => to))].filter(isLost).length
  expect(lost).toBeGreaterThan(10)
  expect(await states(server)).toEqual({ delivered: count - lost, failed: lost })
})
