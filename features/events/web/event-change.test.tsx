import { onlineManager } from '@tanstack/react-query'
import { expect, onTestFinished, test, vi } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { browser } from '#web/lib/browser.ts'
import { watchEvent } from '#web/session/event-reads.ts'
import { getAuth } from '#web/session/stored-auth.ts'
import { expectNoAxeViolations } from '#web/testing/axe.ts'
import { annex, eventSites, fire, fireRuns, towerA } from '#web/testing/event-sites.ts'
import { cutOff } from '#web/testing/fake-server.ts'
import { someSignIn } from '#web/testing/stored-auth.ts'
import { createEvent, listEventSites } from '../calls/events.ts'
import { box, button, created, eventsOnScreen, popup, typeSelect } from './events.fixture.tsx'

const { server, open, askToStart } = eventsOnScreen()

test('EVENT-13 EVENT-14 nothing is sent before the manager has seen it all; the toggles there are read-only', async () => {
  await askToStart()

  const dialog = popup('Start Event')
  for (const text of ['Harbour Quarter', 'Tower A', fire.type, fire.message])
    await expect.element(dialog.getByText(text, { exact: true })).toBeVisible()
  for (const choice of dialog.getByRole('radio').elements()) expect(choice.matches(':disabled')).toBe(true)
  await expect.element(dialog.getByRole('radio', { name: 'Everyone' })).toBeChecked()
  expect(document.activeElement?.textContent).toBe('Cancel')
  await expectNoAxeViolations()

  await userEvent.keyboard('{Escape}')
  await expect.element(dialog).not.toBeInTheDocument()
  expect(server.received(createEvent)).toEqual([])
})

test('EVENT-64 the confirmation says when SMS messaging is not activated', async () => {
  await askToStart(eventSites({ sms_allowed: false }))
  await expect.element(page.getByText('ALL WARDENS SMS messaging is not activated.')).toBeVisible()
})

test('EVENT-64 nothing of the sort is said where it is activated', async () => {
  await askToStart()
  await expect.element(popup('Start Event')).toBeVisible()
  await expect.element(page.getByText('not activated')).not.toBeInTheDocument()
})

test('EVENT-01 EVENT-42 EVENT-49 starting sends the whole payload and says that it worked', async () => {
  server.answer(createEvent, { status: 'event_created', ...created })
  await askToStart(eventSites(), {
    WardenSignInUID: null,
    on_duty: false,
    event: { status: false, goToReportInListPage: false },
  })
  await button('Confirm').click()

  await expect.element(popup('Success').getByText('Event has been successfully created.')).toBeVisible()
  expect(server.received(createEvent).map(({ input }) => input.body)).toEqual([
    {
      buildings: [towerA.id],
      eventType: fire.id,
      message: fire.message,
      broadcastMessage: 'yes',
      alertToWarden: 'yes',
      kind: 'live',
    },
  ])
  // AMB-096
  expect(getAuth()).toMatchObject({
    WardenSignInUID: someSignIn,
    on_duty: true,
    event: { status: true, goToReportInListPage: false },
  })
  await expectNoAxeViolations()

  await button('OK').click()
  expect(browser.load).toHaveBeenCalledWith('/event/management')
})

test('EVENT-05 EVENT-09 EVENT-10 the chosen toggles are what is sent', async () => {
  server.answer(createEvent, { status: 'event_created', ...created })
  await open()
  await box(/Tower A/).click()
  await typeSelect().selectOptions(fire.type)
  await page.getByText('No one').click()
  await page.getByText('No', { exact: true }).click()
  await button('Start Event').click()
  await button('Confirm').click()

  await expect
    .poll(() => server.received(createEvent)[0]?.input.body)
    .toMatchObject({ broadcastMessage: 'no', alertToWarden: 'no' })
})

test('EVENT-02 EVENT-31 EVENT-43 adding a building never alerts by SMS and has its own success text', async () => {
  server.answer(createEvent, { status: 'event_created', ...created })
  await open(fireRuns())
  await box(/Annex/).click()
  await button('Add building(s)').click()
  await button('Confirm').click()

  await expect
    .element(popup('Success').getByText('The building has successfully been added to the current event.'))
    .toBeVisible()
  expect(server.received(createEvent)[0]?.input.body).toMatchObject({ buildings: [annex.id], alertToWarden: 'no' })
})

test('EVENT-40 event_running shows the message of the server as a warning', async () => {
  const message = 'An event is already running at Harbour Quarter.'
  server.answer(createEvent, { status: 'event_running', ...created, message })
  await askToStart()
  await button('Confirm').click()

  await expect.element(popup('Warning').getByText(message)).toBeVisible()
  const reads = server.received(listEventSites).length
  await button('OK').click()
  await expect.poll(() => server.received(listEventSites).length).toBeGreaterThan(reads)
  expect(browser.load).not.toHaveBeenCalled()
})

test('EVENT-15 EVENT-56 a change that could not be sent is told by a toast of 7 s; a second try carries the same key', async () => {
  server.answer(createEvent, cutOff)
  await askToStart()
  const timers = vi.spyOn(window, 'setTimeout')
  await button('Confirm').click()
  await expect.element(page.getByText('No connection. Please check your signal and try again.')).toBeVisible()
  expect(timers.mock.calls.map(([, delay]) => delay)).toContain(7000)

  server.answer(createEvent, { status: 'event_created', ...created })
  await button('Confirm').click()

  await expect.element(popup('Success')).toBeVisible()
  const keys = server.received(createEvent).map(({ headers }) => headers.get('idempotency-key'))
  expect(keys).toHaveLength(2)
  expect(keys[0]).toBe(keys[1])
})

test('EVENT-15 without signal a change fails at once; once cancelled it does not set out when the signal returns', async () => {
  server.answer(createEvent, cutOff)
  await askToStart()
  onlineManager.setOnline(false)
  onTestFinished(() => onlineManager.setOnline(true))
  await button('Confirm').click()
  await expect.element(page.getByText('No connection. Please check your signal and try again.')).toBeVisible()
  await button('Cancel').click()
  await expect.element(popup('Start Event')).not.toBeInTheDocument()

  server.answer(createEvent, { status: 'event_created', ...created })
  const reads = server.received(listEventSites).length
  onlineManager.setOnline(true)

  await expect.poll(() => server.received(listEventSites).length).toBeGreaterThan(reads)
  expect(server.received(createEvent)).toHaveLength(1)
  await expect.element(popup('Success')).not.toBeInTheDocument()
})

test('EVENT-59 being on duty in the event that was just started does not take its result off the screen', async () => {
  server.answer(createEvent, { status: 'event_created', ...created })
  const { queryClient } = await askToStart(eventSites(), { WardenSignInUID: null })
  onTestFinished(watchEvent(queryClient).stop)

  await button('Confirm').click()

  await expect.element(popup('Success')).toBeVisible()
  expect(getAuth()?.WardenSignInUID).toBe(someSignIn)
  await button('OK').click()
  expect(browser.load).toHaveBeenCalledWith('/event/management')
})

test('UX-61 with an event running its state and actions come first, and the disabled button is quiet', async () => {
  await open(fireRuns())
  const start = button('Start Event')
  await expect.element(start).toBeDisabled()
  await expect.element(start).toHaveAttribute('data-variant', 'quiet')

  await button('Choose all buildings to end it').click()

  await expect.element(button('End event')).toBeEnabled()
})
