import { expect, test } from 'vitest'
import { page } from 'vitest/browser'
import type { EventUid, ReachUid } from '#kernel/ids.ts'
import { expectNoAxeViolations } from '#web/testing/axe.ts'
import { refused, serverForEachTest } from '#web/testing/fake-server.ts'
import { renderScreen } from '#web/testing/render-screen.tsx'
import { actOnReach, getReach, type ReachCount, type Reached } from '../calls/reach.ts'
import { WhoHasAnsweredScreen } from './who-has-answered-screen.tsx'

const server = serverForEachTest()
const event = 'e0000000-0000-4000-8000-000000000000' as EventUid
const person = (name: string, more: Partial<Reached> = {}): Reached => ({
  id: `00000000-0000-4000-8000-0000000000${name.length}0` as ReachUid,
  name,
  phone: '61491000001',
  warden: true,
  location: 'Tower A - Level 3',
  since: '2026-11-28T03:00:00.000Z',
  tries: [
    { way: 'push', state: 'skipped', at: '2026-11-28T03:00:00.000Z', reason: 'No alerts on a phone.' },
    { way: 'text', state: 'delivered', at: '2026-11-28T03:00:05.000Z', reason: '' },
    { way: 'text', state: 'skipped', at: '2026-11-28T03:01:05.000Z', reason: 'SMS refused.' },
  ],
  answered_at: null,
  spoken_by: '',
  again_from: null,
  ...more,
})

function given(classes: ReachCount[], people: Partial<Record<string, Reached[]>> = {}) {
  server.answer(getReach, ({ input: { query } }) => ({
    event,
    classes,
    people: people[query.list ?? ''] ?? [],
    next: null,
  }))
}
const open = () => renderScreen(<WhoHasAnsweredScreen />, { at: '/event/reach' })
const button = (name: string | RegExp) => page.getByRole('button', { name })

test('LADDER-07 by class: how many were reached; those who were not stand open, with a line for each way', async () => {
  given([{ class: 'report_in', reached: 11, trying: 2, not_reached: 1 }], { not_reached: [person('Ada Abara')] })
  await open()

  await expect.element(page.getByRole('heading', { name: 'Report in' })).toBeVisible()
  await expect.element(page.getByText('Reached 11 of 14')).toBeVisible()
  await expect.element(page.getByText(/^Alert: no alerts on a phone .*\d\d:\d\d$/)).toBeVisible()
  await expect.element(page.getByText(/^Text: delivered .*\d\d:\d\d$/)).toBeVisible()
  await expect.element(page.getByText(/^Text: SMS refused .*\d\d:\d\d$/)).toBeVisible()
  await expect.element(page.getByRole('link', { name: 'Call Ada Abara' })).toHaveAttribute('href', 'tel:+61491000001')
  await expect.element(button(/^Trying/)).toHaveAttribute('aria-expanded', 'false')
  await expectNoAxeViolations()
})

test('LADDER-07 Try again now and I have spoken to them are sent with a key, and a refusal is told', async () => {
  given([{ class: 'report_in', reached: 0, trying: 0, not_reached: 1 }], { not_reached: [person('Ada Abara')] })
  server.answer(actOnReach, { status: 'done' })
  await open()
  await button('Try again now: Ada Abara').click()
  await expect.poll(() => server.received(actOnReach).map(({ input }) => input.body)).toEqual([{ act: 'again' }])

  server.answer(actOnReach, refused('invalid_transition', 'This person has answered.'))
  await button('I have spoken to them: Ada Abara').click()

  await expect.element(page.getByText('This person has answered.')).toBeVisible()
  expect(server.received(actOnReach).at(-1)?.input.body).toEqual({ act: 'spoken' })
})

test('LADDER-07 a minute after the last try the button works again; who has answered has none', async () => {
  given([{ class: 'message', reached: 1, trying: 1, not_reached: 0 }], {
    trying: [person('Ben Bo', { again_from: '2026-11-28T03:02:00.000Z' })],
    reached: [person('Cy', { answered_at: '2026-11-28T03:02:00.000Z', spoken_by: 'Chief Warden' })],
  })
  await open()
  await button(/^Trying/).click()
  await expect.element(button('Try again now: Ben Bo')).toBeDisabled()
  await button(/^Reached/).click()

  await expect.element(page.getByText(/^Chief Warden spoke to them/)).toBeVisible()
  await expect.element(button('I have spoken to them: Cy')).not.toBeInTheDocument()
  await expectNoAxeViolations()
})

test('LADDER-07 without an event, and when no one was asked anything, it says so', async () => {
  given([])
  const { queryClient } = await open()
  await expect.element(page.getByText('No one has been asked anything.')).toBeVisible()

  server.answer(getReach, { event: null, classes: [], people: [], next: null })
  await queryClient.refetchQueries()
  await expect.element(page.getByText('There is no event at your site.')).toBeVisible()
})
