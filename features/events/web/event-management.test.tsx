import { expect, onTestFinished, test } from 'vitest'
import { page } from 'vitest/browser'
import { getAuth } from '#web/session/stored-auth.ts'
import { expectNoAxeViolations } from '#web/testing/axe.ts'
import { annex, burning, eventSites, fire, fireRuns, quarter, towerA, towerB } from '#web/testing/event-sites.ts'
import { refused } from '#web/testing/fake-server.ts'
import { renderScreen } from '#web/testing/render-screen.tsx'
import { listEventSites } from '../calls/events.ts'
import { EventManagement } from './event-management.tsx'
import { box, button, eventsOnScreen, group, typeSelect } from './events.fixture.tsx'

const { server, open } = eventsOnScreen()

test('EVENT-06 the buildings are listed by site', async () => {
  await open()

  const own = group('Harbour Quarter')
  for (const name of ['Harbour Quarter', 'Tower A', 'Tower B', 'Annex'])
    await expect.element(own.getByRole('checkbox', { name })).toBeVisible()
  await expect.element(group('Northgate Campus').getByRole('checkbox', { name: 'Library' })).toBeVisible()
  await expectNoAxeViolations()
})

test('UX-83 until the sites are read the page is outlined: notice and buildings, and the form below or beside them', async () => {
  server.answer(listEventSites, () => new Promise(() => undefined))
  await renderScreen(<EventManagement />, { at: '/event/management' })
  const parts = () => [...document.querySelectorAll<HTMLElement>('[data-part]')]
  const boxOf = (name: string) =>
    parts()
      .find(({ dataset }) => dataset.part === name)
      ?.getBoundingClientRect()

  await expect
    .poll(() => parts().map(({ dataset }) => dataset.part))
    .toEqual(['line', 'choices', 'choices', 'field', 'text', 'field', 'field', 'field'])
  expect(boxOf('field')?.top).toBeGreaterThan(boxOf('choices')?.bottom ?? 0)
  await expectNoAxeViolations()

  await page.viewport(1440, 900)
  onTestFinished(() => page.viewport(390, 844))
  expect(boxOf('field')?.top).toBe(boxOf('line')?.top)
  expect(boxOf('field')?.left).toBeGreaterThan(boxOf('choices')?.right ?? 0)
})

test('EVENT-16 EVENT-18 EVENT-19 EVENT-26 EVENT-27 EVENT-28 notice and button follow the selection', async () => {
  await open(fireRuns())
  const notice = (text: string) => expect.element(page.getByText(text)).toBeVisible()
  await notice('Conclude the current event or add/remove selected building(s) from the current event.')
  await expect.element(button('Start Event')).toBeDisabled()
  await expectNoAxeViolations()

  await box(/Annex/).click()
  await notice('Add selected building(s) to the current event.')
  await expect.element(button('Add building(s)')).toBeEnabled()

  await box(/Tower A/).click()
  await notice('Conclude the current event at selected building(s).')
  await expect.element(button('Remove building(s)')).toBeEnabled()

  await box(/Tower B/).click()
  await expect.element(button('End event')).toBeEnabled()
  await expectNoAxeViolations()
})

test('EVENT-17 EVENT-29 without an event the notice asks for the details of a new one', async () => {
  await open()
  await box('Tower A').click()

  await expect
    .element(page.getByText('Select building(s) and enter details for the new emergency event.'))
    .toBeVisible()
  await expect.element(button('Start Event')).toBeVisible()
})

test('EVENT-32 choosing a building of another site clears the first site', async () => {
  await open()
  await box('Tower A').click()
  await box('Library').click()

  await expect.element(box('Tower A')).not.toBeChecked()
  await expect.element(box('Library')).toBeChecked()

  await box('Harbour Quarter').click()
  await expect.element(box('Library')).not.toBeChecked()
  await expect.element(box('Annex')).toBeChecked()
})

test('EVENT-33 EVENT-34 the site toggle never mixes buildings with and without the event', async () => {
  await open(fireRuns())
  const ticked = () =>
    ['Tower A', 'Tower B', 'Annex'].filter((name) => (box(new RegExp(name)).element() as HTMLInputElement).checked)
  const steps: string[][] = []
  for (let press = 0; press < 3; press++) {
    await box('Harbour Quarter').click()
    steps.push(ticked())
  }

  expect(steps).toEqual([['Tower A', 'Tower B'], ['Annex'], []])
})

test("AMB-090 a building out of the manager's reach cannot be ticked", async () => {
  await open(fireRuns({ sites: [quarter(burning(towerA), { ...annex, manageable: false })] }))
  await expect.element(box(/Annex/)).toBeDisabled()
})

test('AMB-090 a selection that another manager has made impossible is given up', async () => {
  const { queryClient } = await open()
  await box('Tower A').click()
  await box('Tower B').click()

  server.answer(listEventSites, eventSites({ sites: [quarter(burning(towerA), towerB)] }))
  await queryClient.invalidateQueries()

  await expect.element(box(/Tower A In event/)).not.toBeChecked()
  await expect.element(box('Tower B')).not.toBeChecked()
})

test('AMB-090 a building that another manager starts an event in meanwhile is not ticked for its end', async () => {
  const { queryClient } = await open()
  await box('Tower A').click()
  await typeSelect().selectOptions(fire.type)
  await expect.element(button('Start Event')).toBeEnabled()

  server.answer(listEventSites, fireRuns({ sites: [quarter(burning(towerA), towerB)] }))
  await queryClient.invalidateQueries()

  await expect.element(box(/Tower A In event/)).not.toBeChecked()
  expect(button('End event').query()).toBeNull()
  await expect.element(button('Start Event')).toBeDisabled()
})

test('UI the buildings say how old they are, also when they could not be read again', async () => {
  const { queryClient } = await open(fireRuns())
  await expect.element(page.getByText(/^as of \d\d:\d\d:\d\d$/)).toBeVisible()

  server.answer(listEventSites, refused('unavailable'))
  await queryClient.invalidateQueries()

  await expect.element(page.getByText(/^Not up to date, as of/)).toBeVisible()
  await expect.element(box(/Tower A In event/)).toBeVisible()
})

test('EVENT-20 the header is told whether an event runs', async () => {
  await open(fireRuns(), { event: { status: false, goToReportInListPage: false } })
  await expect.poll(() => getAuth()?.event.status).toBe(true)
})

test('EVENT-20 the header is told that none runs', async () => {
  await open(eventSites(), { event: { status: true, goToReportInListPage: false } })
  await expect.poll(() => getAuth()?.event.status).toBe(false)
})

test('EVENT-41 when the sites cannot be loaded the warden is taken to the report-in page, without a word', async () => {
  server.answer(listEventSites, refused('server_error'))
  const at = '/event/management'
  const screen = await renderScreen(<EventManagement />, { at, route: at })

  await expect.poll(screen.address).toBe('/reportin')
  expect(screen.container.textContent).toBe('')
})

test('EVENT-48 the event in progress is named with its buildings', async () => {
  await open(fireRuns())
  const current = page.getByRole('region', { name: 'Current event' })
  await expect.element(current.getByRole('heading', { name: fire.type })).toBeVisible()
  await expect.element(current.getByText('Harbour Quarter: Tower A, Tower B')).toBeVisible()
})
