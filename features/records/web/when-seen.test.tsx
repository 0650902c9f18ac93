import { expect, test } from 'vitest'
import { page } from 'vitest/browser'
import type { EventUid } from '#kernel/ids.ts'
import { expectNoAxeViolations } from '#web/testing/axe.ts'
import { serverForEachTest } from '#web/testing/fake-server.ts'
import { renderScreen } from '#web/testing/render-screen.tsx'
import { addToRecord } from '../calls/additions.ts'
import { getNoting, listObserved, type Noting } from '../calls/observing.ts'
import { checklist } from '../words.ts'
import { ObservationScreen } from './observation-screen.tsx'
import { added, someEvent } from './records.fixture.tsx'

const server = serverForEachTest()
const event = someEvent as EventUid
/** Phones of these tests are in Sydney, 16 hours ahead. */
const newYork = {
  site: 'Hudson Yard',
  kind: 'drill' as const,
  timezone: 'America/New_York',
  started_at: '2025-11-14T15:00:00.000Z',
  ended_at: '2025-11-14T15:14:20.000Z' as string | null,
  checklist: [...checklist],
  places: [],
  notes: [],
}
const observation = added(1, 'observation', { tone: 'Note', text: 'A door was open.' })

async function open(more: Partial<Noting> = {}) {
  const noting = { ...newYork, ...more }
  const { site, kind, timezone, started_at, ended_at } = noting
  server.answer(listObserved, {
    events: [{ event, type: 'Fire drill', site, kind, timezone, started_at, ended_at }],
  })
  server.answer(getNoting, noting)
  server.answer(addToRecord, { entry: observation })
  await renderScreen(<ObservationScreen />, { at: '/event/observation' })
  await page.getByLabelText('What you saw').fill('A door was open.')
}
const time = () => page.getByLabelText('Time', { exact: true })
const save = () => page.getByRole('button', { name: 'Save' }).click()
const sent = () => expect.poll(() => server.received(addToRecord).map(({ input }) => input.body.observed_at))

test("REC2-16 a time is of the event's own day and the clocks of its site, whatever the zone of the phone", async () => {
  await open()
  await expect.element(page.getByText('Ended 14 Nov, 10:14')).toBeVisible()
  await expect.element(page.getByLabelText('Date')).toHaveValue('2025-11-14')
  await expect
    .element(
      page.getByText('Hudson Yard time (UTC-05:00). It ran from 10:00 to 10:14. Leave the time empty for its end.'),
    )
    .toBeVisible()
  await expectNoAxeViolations()
  await time().fill('10:05')
  await save()

  await sent().toEqual(['2025-11-14T10:05:00-05:00'])
  await expect.element(time()).toHaveValue('')
})

test('REC2-16 an empty time is the end of an ended event', async () => {
  await open()
  await save()
  await sent().toEqual([newYork.ended_at])
})

test('REC2-16 an empty time is now while the event runs, and the phone tells it', async () => {
  const started_at = new Date(Date.now() - 600_000).toISOString()
  await open({ ended_at: null, started_at, timezone: 'Australia/Sydney', site: 'Harbour Quarter' })
  await expect.element(page.getByText(/^Since \d\d:\d\d$|^Since .*, \d\d:\d\d$/)).toBeVisible()
  await expect
    .element(page.getByText(/^Harbour Quarter time \(UTC\+1[01]:00\)\. Leave the time empty for now\.$/))
    .toBeVisible()
  await save()

  await sent().toEqual([undefined])
  expect(server.received(addToRecord)[0]?.headers.has('x-observed-at')).toBe(true)
})

test('REC2-16 a time outside the event is refused at the field, and nothing is sent', async () => {
  await open()
  await time().fill('10:15')
  await page.getByLabelText('Date').fill('2025-11-15')
  await save()

  await expect.element(time()).toHaveAccessibleDescription('That time is outside the event.')
  await expectNoAxeViolations()
  await page.getByLabelText('Date').fill('2025-11-16')
  await time().fill('')
  await expect.element(time()).toHaveAccessibleDescription('Enter the time.')
  expect(server.received(addToRecord)).toEqual([])
})

test('REC2-16 of a time that the clocks show twice the form asks which, and one that they skip is none', async () => {
  const back = { started_at: '2025-11-02T05:00:00.000Z', ended_at: '2025-11-02T07:00:00.000Z' }
  await open(back)
  await time().fill('01:30')
  const group = page.getByRole('group', { name: 'First or second 01:30?' })
  await group.getByText('Second').click()
  await expectNoAxeViolations()
  await save()
  await sent().toEqual(['2025-11-02T01:30:00-05:00'])

  await page.getByLabelText('What you saw').fill('A door was shut.')
  await time().fill('01:30')
  await save()
  await sent().toEqual(['2025-11-02T01:30:00-05:00', '2025-11-02T01:30:00-04:00'])
})

test('REC2-16 a time that the clocks skipped is none', async () => {
  await open({ started_at: '2025-03-09T06:30:00.000Z', ended_at: '2025-03-09T07:30:00.000Z' })
  await time().fill('02:30')
  await save()
  await expect.element(time()).toHaveAccessibleDescription('The clocks skipped 02:30 on that day.')
  expect(server.received(addToRecord)).toEqual([])
})
