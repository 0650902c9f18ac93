import { QueryClient } from '@tanstack/react-query'
import { afterEach, expect, test, vi } from 'vitest'
import { page } from 'vitest/browser'
import { openEventPlan } from '#features/peeps/calls/plan-access.ts'
import { expectNoAxeViolations } from '../../testing/axe.ts'
import { refused, serverForEachTest } from '../../testing/fake-server.ts'
import { personId } from '../../testing/outbox.ts'
import { renderScreen } from '../../testing/render-screen.tsx'
import { PlanSheet } from './plan-sheet.tsx'

const server = serverForEachTest()
afterEach(() => vi.useRealTimers())

const ada = { id: personId(1), name: 'Ada Abara' }
const answer = () =>
  server.answer(openEventPlan, ({ input: { body } }) =>
    body.whole === 'yes'
      ? { assistance: 'CANARY chair', disability: 'Uses a wheelchair', other: 'Two helpers' }
      : { assistance: 'CANARY chair' },
  )
const open = () => renderScreen(<PlanSheet person={ada} onClose={() => undefined} />, { at: '/event/people' })
const button = (name: string) => page.getByRole('button', { name, exact: true })

test("PEEP-03 'Why?' has three reasons; one tap opens 'Assistance Needed', 'More' the rest", async () => {
  answer()
  await open()
  await expect.element(page.getByRole('heading', { name: 'Why?' })).toBeVisible()
  const reasons = ['I am going to help', 'I am sending someone', 'The fire service asks']
  for (const reason of reasons) await expect.element(button(reason)).toBeVisible()
  await expectNoAxeViolations()
  expect(server.received(openEventPlan)).toEqual([])

  await button('I am sending someone').click()

  await expect.element(page.getByText('CANARY chair')).toBeVisible()
  await expect.element(page.getByRole('heading', { name: 'Assistance Needed' })).toBeVisible()
  await expect.element(page.getByText('Uses a wheelchair')).not.toBeInTheDocument()
  await button('More').click()
  await expect.element(page.getByText('Uses a wheelchair')).toBeVisible()
  await expect.element(page.getByText('Two helpers')).toBeVisible()
  await expect.element(button('More')).not.toBeInTheDocument()
  await expectNoAxeViolations()
  expect(server.received(openEventPlan).map(({ input }) => [input.params.personId, input.body])).toEqual([
    [ada.id, { reason: 'sending', whole: 'no' }],
    [ada.id, { reason: 'sending', whole: 'yes' }],
  ])
})

test('PEEP-04 the text is in no query cache and no store of the phone, and goes after 10 minutes', async () => {
  answer()
  const written = vi.spyOn(Storage.prototype, 'setItem')
  const cached = vi.spyOn(QueryClient.prototype, 'setQueryData')
  await open()
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'Date'] })
  await button('I am going to help').click()
  await expect.element(page.getByText('CANARY chair')).toBeVisible()
  expect(JSON.stringify([...written.mock.calls, ...cached.mock.calls])).not.toContain('CANARY')
  for (const store of [localStorage, sessionStorage]) expect(JSON.stringify(store)).not.toContain('CANARY')

  vi.advanceTimersByTime(10 * 60_000 - 1000)
  await expect.element(page.getByText('CANARY chair')).toBeVisible()
  vi.advanceTimersByTime(1001)

  await expect.element(page.getByText('CANARY chair')).not.toBeInTheDocument()
  await expect.element(page.getByRole('heading', { name: 'Why?' })).toBeVisible()
})

test('PEEP-04 anyone who leaves the page and comes back is asked again', async () => {
  answer()
  const screen = await open()
  await button('The fire service asks').click()
  await expect.element(page.getByText('CANARY chair')).toBeVisible()
  await screen.unmount()

  await open()

  await expect.element(page.getByRole('heading', { name: 'Why?' })).toBeVisible()
  await expect.element(page.getByText('CANARY chair')).not.toBeInTheDocument()
})

test('PEEP-03 PEEP-10 a plan that has ended, or no signal, is told and may be tried again', async () => {
  server.answer(openEventPlan, refused('not_found', 'gone'))
  await open()
  await button('I am going to help').click()
  await expect.element(page.getByText('This is no longer available. Please refresh.')).toBeVisible()

  answer()
  await button('I am going to help').click()
  await expect.element(page.getByText('CANARY chair')).toBeVisible()
  await expect.element(page.getByText('This is no longer available. Please refresh.')).not.toBeInTheDocument()
})
