import { expect, test } from 'vitest'
import { page } from 'vitest/browser'
import { rejoin } from '#features/sign-in/calls/sign-in.ts'
import { getAuth } from '#web/session/stored-auth.ts'
import { cutOff, refused } from '#web/testing/fake-server.ts'
import { otherCard, reportInCard } from '#web/testing/report-in-cards.ts'
import { authReply } from '#web/testing/stored-auth.ts'
import { listReportInCards, type ReportInCard } from '../calls/report-in.ts'
import { idle, listServer, press } from './list.fixture.tsx'

const server = listServer()

/** Rejoins arrive, and so many answers do not, or all until the signal is `back`. As on the server, a key brings one token. */
function loseAnswers(lost: number, ...cards: ReportInCard[]) {
  const tokens = new Map<string | null, string>()
  const isDead = (headers: Headers) => tokens.size > 0 && headers.get('authorization') === 'Bearer token-1'
  server.answer(rejoin, ({ headers }) => {
    const key = headers.get('idempotency-key')
    if (isDead(headers) && !tokens.has(key)) return refused('not_signed_in')
    const access_token = tokens.get(key) ?? `token-${tokens.size + 2}`
    tokens.set(key, access_token)
    return lost-- > 0 ? cutOff : authReply({ access_token, on_duty: false })
  })
  server.answer(listReportInCards, ({ headers }) => {
    if (!isDead(headers)) return cards
    return lost > 0 ? cutOff : refused('not_signed_in')
  })
  const back = () => {
    lost = 0
  }
  return { back }
}

/** The warden has pressed, the answer was lost, and the action was abandoned. */
async function abandoned(...cards: ReportInCard[]) {
  const screen = await server.show(...cards)
  const signal = loseAnswers(Number.POSITIVE_INFINITY, ...cards)
  await page.getByRole('button', { name: 'Report In - Available' }).first().click()
  await expect.poll(keys).toHaveLength(2)
  await idle()
  expect(screen.address()).toBe('/reportinlist')
  return { ...screen, ...signal }
}
const keys = () => server.received(rejoin).map(({ headers }) => headers.get('idempotency-key'))
const bodies = () => server.received(rejoin).map(({ input }) => input.body)
const signedIn = () => getAuth()?.access_token

test('F7 LIST-38 the answer to a rejoin is lost: it is asked for again, and the action goes on', async () => {
  const screen = await server.show(reportInCard('unknown'))
  loseAnswers(1, reportInCard('unknown'))

  await press('Report In - Available')

  await expect.poll(screen.address).toBe('/reportin')
  expect(keys()).toHaveLength(2)
  expect(signedIn()).toBe('Bearer token-2')
  expect(getAuth()?.rejoining).toBeUndefined()
})

test('F7 LIST-38 who presses again when the signal is back reports in', async () => {
  const { address, back } = await abandoned(reportInCard('unknown'))
  back()

  await press('Report In - Available')

  await expect.poll(address).toBe('/reportin')
  expect(server.steps).toEqual([])
  expect(keys().slice(0, 3)).toEqual(Array.from({ length: 3 }, () => keys()[0]))
  expect(signedIn()).toBe('Bearer token-3')
})

test('F7 LIST-38 another card may be pressed then: the lost rejoin is settled first', async () => {
  const cards = [reportInCard('unknown'), reportInCard('offDuty', otherCard)]
  const { back } = await abandoned(...cards)
  back()

  await press('Rejoin Event')

  await expect.poll(() => server.steps).toEqual(['on duty', 'load /me/role'])
  expect(bodies()[2]).toEqual(bodies()[0])
  expect(bodies()[3]).toEqual({ oauth_token: cards[1]?.oauth_token })
  expect(keys()[3]).not.toBe(keys()[2])
})

test('F7 LIST-38 a rejoin that may still arrive is settled before another is made, which it would end', async () => {
  const screen = await server.show(reportInCard('unknown'))
  server.answer(rejoin, cutOff)
  await press('Report In - Available')
  await expect.poll(keys).toHaveLength(2)
  await idle()
  loseAnswers(0, reportInCard('unknown'))

  await press('Report In - Available')

  await expect.poll(screen.address).toBe('/reportin')
  expect(keys()).toEqual([keys()[0], keys()[0], keys()[0], keys()[3]])
  expect(signedIn()).toBe('Bearer token-3')
})

test('F7 SESSION-20 the list finds the session that took the place of the old one', async () => {
  const { back } = await abandoned(reportInCard('unknown'))
  back()

  await press('Refresh')

  await expect.poll(signedIn).toBe('Bearer token-2')
  await expect
    .poll(() => server.received(listReportInCards).at(-1)?.headers.get('authorization'))
    .toBe('Bearer token-2')
  await expect.element(page.getByText(/^Not up to date/)).not.toBeInTheDocument()
  await expect.element(page.getByRole('button', { name: 'Report In - Available' })).toBeVisible()
  expect(server.steps).toEqual([])
})

test('F7 SESSION-20 while no answer comes no one is signed out; when the server says that it is too late they are', async () => {
  await abandoned(reportInCard('unknown'))
  server.answer(listReportInCards, refused('not_signed_in'))

  await press('Refresh')
  await expect.poll(keys).toHaveLength(4)
  expect([signedIn(), server.steps]).toEqual(['Bearer token-1', []])

  server.answer(rejoin, refused('not_signed_in'))
  await press('Refresh')

  await expect.poll(() => server.steps).toEqual(['load /login'])
  expect(getAuth()).toBeNull()
})

test('F7 a press has a key of its own, and a rejoin that was refused is not asked for again', async () => {
  server.answer(rejoin, refused('unauthorized_access'))
  await server.show(reportInCard('unknown'))

  for (const presses of [1, 2]) {
    await press('Report In - Available')
    await expect.poll(keys).toHaveLength(presses)
    await idle()
  }

  expect(new Set(keys()).size).toBe(2)
  expect(getAuth()?.rejoining).toBeUndefined()
})
