import { expect, test, vi } from 'vitest'
import { page } from 'vitest/browser'
import type { EventUid } from '#kernel/ids.ts'
import { createTopicRefresh } from '#web/live/topic-refresh.ts'
import { expectNoAxeViolations } from '#web/testing/axe.ts'
import { refused, serverForEachTest } from '#web/testing/fake-server.ts'
import { renderScreen } from '#web/testing/render-screen.tsx'
import { Page } from '#web/ui/page.tsx'
import { type EventTexts, getEventTexts, listUnreached, type Unreached } from '../../calls/event-texts.ts'
import { EventTextsSection } from './event-texts-section.tsx'

const server = serverForEachTest()

const none = { queued: 0, handed_over: 0, delivered: 0, unconfirmed: 0, failed: 0, expired: 0, skipped: 0 }
const texts = (counts: Partial<EventTexts['counts']>, writing = false): EventTexts => ({
  event: '00000000-0000-4000-8000-000000000001' as EventUid,
  counts: { ...none, ...counts },
  writing,
  over_budget: 0,
})
const person = (n: number, more: Partial<Unreached> = {}): Unreached => ({
  id: `00000000-0000-4000-8000-0000000001${n}`,
  name: `Person ${n}`,
  phone: `61491000${n}`,
  location: 'Tower A - Level 3',
  warden: false,
  state: 'failed',
  reason: 'The number is not in service.',
  ...more,
})
const open = () =>
  renderScreen(
    <Page>
      <EventTextsSection />
    </Page>,
    { at: '/event/management' },
  )
const openList = () => page.getByRole('button', { name: 'Not reached: call instead' }).click()
const shown = () =>
  [...document.querySelectorAll('dl > div')].map((row) => [...row.children].slice(1).map((cell) => cell.textContent))

test('AMB-093 every state that there is, in words and numbers, and how old they are', async () => {
  server.answer(getEventTexts, texts({ delivered: 1204, handed_over: 3, failed: 2, skipped: 40 }))
  await open()

  await expect.element(page.getByText('Delivered')).toBeVisible()
  expect(shown()).toEqual([
    ['Sent, no receipt yet', '3'],
    ['Delivered', '1,204'],
    ['Failed', '2'],
    ['Not sent', '40'],
  ])
  await expect.element(page.getByText(/^as of/)).toBeVisible()
  await expect.element(page.getByRole('progressbar')).not.toBeInTheDocument()
  await expectNoAxeViolations()
})

test('AMB-093 while they go out it says how far it has come, and follows the feed', async () => {
  server.answer(getEventTexts, texts({ queued: 30, delivered: 10 }))
  const { queryClient } = await open()
  await expect.element(page.getByText('10 of 40 done')).toBeVisible()
  await expect.element(page.getByRole('progressbar', { name: 'Sending texts' })).toHaveAttribute('value', '10')
  await expectNoAxeViolations()

  vi.spyOn(Math, 'random').mockReturnValue(0)
  server.answer(getEventTexts, texts({ queued: 5, delivered: 35 }))
  createTopicRefresh(queryClient).note([{ topic: 'text', ids: [] }])

  await expect.element(page.getByText('35 of 40 done')).toBeVisible()
})

test('T10 that the budget is used up is said in words, for one and for many', async () => {
  server.answer(getEventTexts, { ...texts({ delivered: 10, skipped: 1200 }), over_budget: 1200 })
  const { queryClient } = await open()
  const usedUp = 'not sent: the text budget for today is used up. Call instead.'
  await expect.element(page.getByText(`1,200 texts were ${usedUp}`)).toBeVisible()
  await expectNoAxeViolations()

  server.answer(getEventTexts, { ...texts({ skipped: 1 }), over_budget: 1 })
  await queryClient.refetchQueries()
  await expect.element(page.getByText(`1 text was ${usedUp}`)).toBeVisible()

  server.answer(getEventTexts, texts({ skipped: 1 }))
  await queryClient.refetchQueries()
  await expect.element(page.getByText(usedUp)).not.toBeInTheDocument()
})

test('AMB-093 without a feed it asks every three seconds while texts go out', async () => {
  server.answer(getEventTexts, texts({ queued: 1 }, true))
  await open()
  await expect.element(page.getByText('0 done, more are being prepared')).toBeVisible()
  server.answer(getEventTexts, texts({ delivered: 2 }))

  await expect.element(page.getByText('Delivered'), { timeout: 6000 }).toBeVisible()
})

test('AMB-093 who was not reached can be called, page after page', async () => {
  server.answer(getEventTexts, texts({ failed: 1, skipped: 1 }))
  server.answer(listUnreached, ({ input: { query } }) =>
    query.after === 'p1'
      ? {
          persons: [person(12, { phone: null, state: 'skipped', reason: 'No mobile number.', warden: true })],
          next: null,
        }
      : { persons: [person(11)], next: 'p1' },
  )
  await open()
  await expect.element(page.getByText('Not sent')).toBeVisible()
  expect(server.received(listUnreached)).toHaveLength(0)
  await openList()

  const call = page.getByRole('link', { name: 'Call Person 11' })
  await expect.element(call).toHaveAttribute('href', 'tel:+6149100011')
  await expect.element(page.getByText('Failed: The number is not in service.')).toBeVisible()
  await page.getByRole('button', { name: 'Show more' }).click()
  await expect.element(page.getByText('Not sent: No mobile number.')).toBeVisible()
  await expect.element(page.getByText('Warden, Tower A - Level 3')).toBeVisible()
  await expect.element(page.getByRole('button', { name: 'No phone number for Person 12' })).toBeDisabled()
  await expect.element(page.getByRole('button', { name: 'Show more' })).not.toBeInTheDocument()
  await expectNoAxeViolations()
})

test('AMB-093 a list that cannot be read says so and can be tried again; no one on it is said, too', async () => {
  server.answer(getEventTexts, texts({ delivered: 2 }))
  server.answer(listUnreached, refused('unavailable'))
  await open()
  await openList()
  await expect.element(page.getByText('The people could not be loaded.')).toBeVisible()
  server.answer(listUnreached, { persons: [], next: null })
  await page.getByRole('button', { name: 'Try again' }).click()

  await expect.element(page.getByText('No one is known to be out of reach.')).toBeVisible()
})

test('AMB-093 an event without texts says so; without an event there is nothing', async () => {
  server.answer(getEventTexts, texts({}))
  const { queryClient } = await open()
  await expect.element(page.getByText('No one has been texted.')).toBeVisible()
  server.answer(getEventTexts, { ...texts({}), event: null })
  await queryClient.refetchQueries()

  await expect.element(page.getByText('Text messages')).not.toBeInTheDocument()
})
