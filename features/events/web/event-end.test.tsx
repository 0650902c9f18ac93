import { expect, test } from 'vitest'
import { page } from 'vitest/browser'
import { browser } from '#web/lib/browser.ts'
import { getAuth } from '#web/session/stored-auth.ts'
import { expectNoAxeViolations } from '#web/testing/axe.ts'
import { eventSites, fire, fireRuns, runningFire, towerA, towerB } from '#web/testing/event-sites.ts'
import { refused } from '#web/testing/fake-server.ts'
import { endEvent, listEventSites, listUnaccounted, type UnaccountedPerson } from '../calls/events.ts'
import { box, button, eventsOnScreen, nobodyMissing, popup } from './events.fixture.tsx'

const { server, open } = eventsOnScreen()

test('EVENT-04 EVENT-44 ending the event leads to the report-in list', async () => {
  const message = 'The Event has been concluded. All Wardens will be signed out.'
  server.answer(endEvent, { status: 'event_ended', scope: 'event', remaining: 0, message })
  await open(fireRuns())
  await box(/Tower A/).click()
  await box(/Tower B/).click()
  await button('End event').click()
  await expect.element(popup('End event')).toBeVisible()
  expect(document.activeElement?.textContent).toBe('Cancel')
  await button('Confirm').click()

  await expect.element(popup('Success').getByText(message)).toBeVisible()
  expect(server.received(endEvent)[0]?.input.body).toEqual({
    buildings: [towerA.id, towerB.id],
    eventType: fire.id,
    message: 'The event at Harbour Quarter has concluded',
    broadcastMessage: 'yes',
    event: runningFire.id,
  })
  expect(getAuth()).toMatchObject({ on_duty: false, event: { status: false, goToReportInListPage: true } })
  await button('OK').click()
  expect(browser.load).toHaveBeenCalledWith('/reportinlist')
})

test('EVENT-03 EVENT-45 removing buildings leaves the manager on the screen, with the buildings read again', async () => {
  const message = 'The building(s) have been removed from the event. Affected Wardens be signed out.'
  server.answer(endEvent, { status: 'event_ended', scope: 'buildings', remaining: 1, message })
  await open(fireRuns())
  await box(/Tower B/).click()
  await button('Remove building(s)').click()
  await button('Confirm').click()
  await expect.element(popup('Success').getByText(message)).toBeVisible()

  const reads = server.received(listEventSites).length
  await button('OK').click()
  await expect.poll(() => server.received(listEventSites).length).toBeGreaterThan(reads)
  await expect.element(box(/Tower B/)).not.toBeChecked()
  expect(browser.load).not.toHaveBeenCalled()
})

test('AMB-092 an answer without a status is shown as a warning', async () => {
  server.answer(endEvent, { message: 'This event has already concluded.' })
  await open(fireRuns())
  await box(/Tower B/).click()
  await button('Remove building(s)').click()
  await button('Confirm').click()

  await expect.element(popup('Warning').getByText('This event has already concluded.')).toBeVisible()
})

test('EVENT-13 what was confirmed is what is sent, also when the event changes meanwhile', async () => {
  server.answer(endEvent, { status: 'event_ended', scope: 'buildings', remaining: 1, message: '' })
  await open(fireRuns())
  await box(/Tower B/).click()
  await button('Remove building(s)').click()
  server.answer(listEventSites, eventSites())
  window.dispatchEvent(new Event('visibilitychange'))
  await expect.poll(() => server.received(listEventSites).length).toBeGreaterThan(1)

  await button('Confirm').click()

  await expect.poll(() => server.received(endEvent)[0]?.input.body).toMatchObject({ buildings: [towerB.id] })
})

const someone = (n: number, status: UnaccountedPerson['status']): UnaccountedPerson => ({
  id: `00000000-0000-4000-8000-00000000f${String(n).padStart(3, '0')}` as UnaccountedPerson['id'],
  name: `Person ${n}`,
  location: 'Tower A - Level 3',
  status,
})

test('UX-42 the end of an event names the event and who is not accounted for', async () => {
  const counts = { safe: 4, unknown: 87, danger: 7, total: 98 }
  server.answer(
    listUnaccounted,
    ({
      input: {
        query: { status },
      },
    }) => ({
      ...nobodyMissing,
      counts,
      persons: status === 'danger' ? [1, 2, 3, 4, 5, 6, 7].map((n) => someone(n, 'danger')) : [someone(20, 'unknown')],
    }),
  )
  await openEnd()

  const asked = popup('End event')
  await expect.element(asked.getByText('This ends the event Fire at Harbour Quarter.')).toBeVisible()
  await expect.element(asked.getByRole('heading', { name: '87 unknown, 7 in danger' })).toBeVisible()
  await expect
    .element(asked.getByText('In danger: Person 1, Person 2, Person 3, Person 4, Person 5 and 2 more'))
    .toBeVisible()
  await expectNoAxeViolations()

  await asked.getByRole('button', { name: 'See all' }).click()
  await expect.element(asked.getByRole('list', { name: 'In danger' }).getByText('Person 7')).toBeVisible()
  await expect.element(asked.getByRole('list', { name: 'Unknown' }).getByText('Person 20')).toBeVisible()
})

test('REC-28 UX-42 an open call for help is told before the end, also where everyone is accounted for', async () => {
  server.answer(listUnaccounted, () => ({ ...nobodyMissing, calls: 1 }))
  await openEnd()

  const asked = popup('End event')
  await expect.element(asked.getByRole('heading', { name: '1 open call for help' })).toBeVisible()
  expect(asked.getByText('Everyone is accounted for').elements()).toEqual([])
  expect(asked.getByRole('button', { name: 'See all' }).elements()).toEqual([])
})

test('UX-42 another event than the one seen is not ended', async () => {
  server.answer(endEvent, refused('other_event'))
  await openEnd()
  await expect.element(popup('End event').getByText('Everyone is accounted for')).toBeVisible()
  await button('Confirm').click()

  await expect
    .element(page.getByText('The event that is running is not the one shown. Refresh the page.'))
    .toBeVisible()
})

async function openEnd() {
  await open(fireRuns())
  await box(/Tower A/).click()
  await box(/Tower B/).click()
  await button('End event').click()
}
