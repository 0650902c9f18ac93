import { endEvent, listEventSites } from '@evac/contract/calls/events.ts'
import { expect, test } from 'vitest'
import { browser } from '../../lib/browser.ts'
import { getAuth } from '../../session/stored-auth.ts'
import { eventSites, fire, fireRuns, towerA, towerB } from '../../testing/event-sites.ts'
import { box, button, eventsOnScreen, popup } from './events.fixture.tsx'

const { server, open } = eventsOnScreen()

test('EVENT-04 EVENT-44 ending the event leads to the report-in list', async () => {
  server.answer(endEvent, { status: 'event_ended', scope: 'event', remaining: 0, message: '' })
  await open(fireRuns())
  await box(/Tower A/).click()
  await box(/Tower B/).click()
  await button('End event').click()
  await expect.element(popup('End event')).toBeVisible()
  expect(document.activeElement?.textContent).toBe('Cancel')
  await button('Confirm').click()

  await expect
    .element(popup('Success').getByText('The Event has been concluded. All Wardens will be signed out.'))
    .toBeVisible()
  expect(server.received(endEvent)[0]?.input.body).toEqual({
    buildings: [towerA.id, towerB.id],
    eventType: fire.id,
    message: 'The event at Harbour Quarter has concluded',
    broadcastMessage: 'yes',
  })
  expect(getAuth()).toMatchObject({ on_duty: false, event: { status: false, goToReportInListPage: true } })
  await button('OK').click()
  expect(browser.load).toHaveBeenCalledWith('/reportinlist')
})

test('EVENT-03 EVENT-45 removing buildings leaves the manager on the screen, with the buildings read again', async () => {
  server.answer(endEvent, { status: 'event_ended', scope: 'buildings', remaining: 1, message: '' })
  await open(fireRuns())
  await box(/Tower B/).click()
  await button('Remove building(s)').click()
  await button('Confirm').click()
  await expect
    .element(
      popup('Success').getByText('The building(s) have been removed from the event. Affected Wardens be signed out.'),
    )
    .toBeVisible()

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
