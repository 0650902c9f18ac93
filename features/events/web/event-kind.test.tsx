import { expect, test } from 'vitest'
import { page } from 'vitest/browser'
import { getAuth } from '#web/session/stored-auth.ts'
import { expectNoAxeViolations } from '#web/testing/axe.ts'
import { drill, eventSites, fire, fireRuns, runningFire } from '#web/testing/event-sites.ts'
import { createEvent, type EventSites, makeEventLive } from '../calls/events.ts'
import { box, button, created, eventsOnScreen, group, popup, typeSelect } from './events.fixture.tsx'

const { open, server } = eventsOnScreen()

const thisIs = () => group('This is')
const told = () => group('People were told in advance')
const radio = (name: string) => page.getByRole('radio', { name, exact: true })

test("KIND-02 'This is' stands above the broadcast, always has a value, and is gone while an event runs", async () => {
  await open()
  await expect.element(radio('Live event')).toBeChecked()
  const [kind, broadcast] = [thisIs().element(), group('Broadcast message to').element()]
  expect(kind.compareDocumentPosition(broadcast) & Node.DOCUMENT_POSITION_FOLLOWING).toBeTruthy()
  expect(told().query()).toBeNull()
})

test('KIND-02 while an event runs its kind is set', async () => {
  await open(fireRuns())
  expect(thisIs().query()).toBeNull()
})

test('KIND-03 the type presets the toggle until someone presses it', async () => {
  await open()
  await typeSelect().selectOptions(drill.type)
  await expect.element(radio('Drill')).toBeChecked()
  await typeSelect().selectOptions(fire.type)
  await expect.element(radio('Live event')).toBeChecked()

  await thisIs().getByText('Live event').click()
  await thisIs().getByText('Drill').click()
  await thisIs().getByText('Live event').click()
  await typeSelect().selectOptions(drill.type)

  await expect.element(radio('Live event')).toBeChecked()
})

test("KIND-04 a drill asks whether 'People were told in advance', 'Announced' unless said otherwise", async () => {
  await open()
  await thisIs().getByText('Drill').click()

  await expect.element(told()).toBeVisible()
  await expect.element(radio('Announced')).toBeChecked()
  await expectNoAxeViolations()
})

const asked = async (type: string, kind: string, more?: () => Promise<void>) => {
  await open()
  await box('Tower A').click()
  await typeSelect().selectOptions(type)
  await thisIs().getByText(kind).click()
  await more?.()
  await button('Start Event').click()
  return popup('Start Event')
}

test('KIND-05 KIND-06 KIND-08 the confirmation of a drill shows both toggles, and both are sent', async () => {
  const dialog = await asked(drill.type, 'Drill', () => told().getByText('Unannounced').click())

  await expect.element(dialog.getByText('DRILL. Every screen and text will say so.')).toBeVisible()
  for (const name of ['Drill', 'Unannounced']) {
    await expect.element(dialog.getByRole('radio', { name, exact: true })).toBeChecked()
    await expect.element(dialog.getByRole('radio', { name, exact: true })).toBeDisabled()
  }
  expect(dialog.getByText(/This event type is meant/).query()).toBeNull()
  await expectNoAxeViolations()
  server.answer(createEvent, { ...created, status: 'event_created', event_kind: 'drill' })
  await dialog.getByRole('button', { name: 'Confirm' }).click()

  await expect.element(popup('Success')).toBeVisible()
  expect(server.received(createEvent)[0]?.input.body).toMatchObject({ kind: 'drill', announced: 'no' })
  expect(getAuth()?.event_kind).toBe('drill')
})

test.each([
  [drill.type, 'Live event', 'This event type is meant for drills.'],
  [fire.type, 'Drill', 'This event type is meant for live events.'],
])('KIND-05 a %s started as a %s is warned about', async (type, kind, warning) => {
  const dialog = await asked(type, kind)

  await expect.element(dialog.getByText(warning)).toBeVisible()
})

test('KIND-05 KIND-06 a live event is sent as live, without a word on announcement', async () => {
  server.answer(createEvent, { ...created, status: 'event_created' })
  const dialog = await asked(fire.type, 'Live event')
  expect(dialog.getByText(/DRILL/).query()).toBeNull()
  await dialog.getByRole('button', { name: 'Confirm' }).click()

  await expect.element(popup('Success')).toBeVisible()
  const body = server.received(createEvent)[0]?.input.body
  expect(body).toMatchObject({ kind: 'live' })
  expect(body).not.toHaveProperty('announced')
})

test('KIND-08 KIND-09 the running drill is marked as one, and this phone keeps it', async () => {
  const sites = fireRuns()
  if (sites.data.activeEvent) sites.data.activeEvent.kind = 'drill'
  await open(sites)

  await expect.element(page.getByRole('region', { name: 'Current event' }).getByText('DRILL')).toBeVisible()
  await expect.poll(() => getAuth()?.event_kind).toBe('drill')
})

test('KIND-08 without a running event this phone keeps no kind', async () => {
  await open(eventSites(), { event_kind: 'drill' })
  await expect.poll(() => getAuth()?.event_kind).toBeNull()
})

const drillRuns = (live: NonNullable<EventSites['data']['activeEvent']>['live'] = null) => {
  const sites = fireRuns()
  if (sites.data.activeEvent) Object.assign(sites.data.activeEvent, { kind: live ? 'live' : 'drill', live })
  return sites
}

test("KIND-12 KIND-17 'This is not a drill' stands first in the running drill, and asks with focus on Cancel", async () => {
  await open(drillRuns())
  await button('This is not a drill').click()

  const dialog = popup('Make this a live event?')
  const question = 'Everyone is set back to unknown and told that this is not a drill.'
  await expect.element(dialog.getByText(question)).toBeVisible()
  await expect.element(dialog.getByRole('button', { name: 'Cancel' })).toHaveFocus()
  const field = dialog.getByRole('textbox', { name: 'Broadcast message' })
  await expect.element(field).toHaveValue(`THIS IS NOT A DRILL. ${fire.message}`.slice(0, 130))
  await expectNoAxeViolations()
  await field.fill('THIS IS NOT A DRILL. Leave now.')
  server.answer(makeEventLive, { status: 'event_live', message: 'The drill is a live event now.' })
  await dialog.getByRole('button', { name: 'Make it live' }).click()

  await expect.element(dialog).not.toBeInTheDocument()
  expect(server.received(makeEventLive)[0]?.input.body).toEqual({
    event: runningFire.id,
    message: 'THIS IS NOT A DRILL. Leave now.',
  })
  expect(server.received(makeEventLive)[0]?.headers.get('idempotency-key')).toBeTruthy()
})

test('KIND-12 KIND-17 a manager of part of the site has the button, too, and reads where it becomes live', async () => {
  const sites = drillRuns()
  const [own] = sites.data.sites
  if (own) own.buildings = own.buildings.map((one) => ({ ...one, manageable: one.event === null }))
  await open(sites)

  await button('This is not a drill').click()

  await expect
    .element(popup('Make this a live event?').getByText(/^It becomes live in all its buildings: Tower/))
    .toBeVisible()
})

test('KIND-17 a live start that meets a drill asks at once whether the drill is live, with the message that was typed', async () => {
  const dialog = await asked(fire.type, 'Live event', () =>
    page.getByRole('textbox', { name: 'Broadcast message' }).fill('Fire on level 3.'),
  )
  const message = 'A drill is running at Harbour Quarter. Nothing was started. Make the drill a live event.'
  const event = { ...runningFire, kind: 'drill' as const }
  server.answer(createEvent, { ...created, status: 'event_running', message, event })
  await dialog.getByRole('button', { name: 'Confirm' }).click()

  const question = popup('Make this a live event?')
  await expect.element(question.getByText(message)).toBeVisible()
  await expect
    .element(question.getByRole('textbox', { name: 'Broadcast message' }))
    .toHaveValue('THIS IS NOT A DRILL. Fire on level 3.')
  await expectNoAxeViolations()
  server.answer(makeEventLive, { status: 'event_live', message: 'The drill is a live event now.' })
  await question.getByRole('button', { name: 'Make it live' }).click()

  await expect.element(question).not.toBeInTheDocument()
  expect(server.received(makeEventLive)[0]?.input.body).toEqual({
    event: runningFire.id,
    message: 'THIS IS NOT A DRILL. Fire on level 3.',
  })
})

test('KIND-12 a live event has no such button', async () => {
  await open(fireRuns())
  expect(button('This is not a drill').query()).toBeNull()
})

test('KIND-15 managers read how many wardens have seen it, and who has not', async () => {
  await open(drillRuns({ from: '2026-01-05T09:00:00Z', seen: 3, wardens: 5, not_seen: ['Ada Abara', 'Ben Brandt'] }))

  await expect.element(page.getByText('Seen by 3 of 5 wardens on duty')).toBeVisible()
  await expect.element(page.getByText('Not seen: Ada Abara, Ben Brandt')).toBeVisible()
  expect(button('This is not a drill').query()).toBeNull()
})
