import { expect, test } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { drill, fire, fireRuns } from '#web/testing/event-sites.ts'
import { box, button, eventsOnScreen, group, message, typeSelect } from './events.fixture.tsx'

const { open } = eventsOnScreen()

test('EVENT-07 EVENT-08 the form has a select of the event types and a message box', async () => {
  await open()

  const options = [...(typeSelect().element() as HTMLSelectElement).options].map(({ text }) => text)
  expect(options).toEqual(['Select event type', fire.type, drill.type])
  await expect.element(message()).toHaveValue('')
})

test("EVENT-09 EVENT-11 the broadcast goes to 'Everyone' unless 'No one' is chosen", async () => {
  await open()

  const broadcast = group('Broadcast message to')
  await expect.element(broadcast.getByRole('radio', { name: 'Everyone' })).toBeChecked()
  await broadcast.getByText('No one').click()
  await expect.element(broadcast.getByRole('radio', { name: 'No one' })).toBeChecked()
})

test("EVENT-10 EVENT-12 the SMS alert is 'Yes' unless 'No' is chosen", async () => {
  await open()

  const alert = group('SMS alert to wardens')
  await expect.element(alert.getByRole('radio', { name: 'Yes' })).toBeChecked()
  await alert.getByText('No', { exact: true }).click()
  await expect.element(alert.getByRole('radio', { name: 'No' })).toBeChecked()
})

test('EVENT-30 the SMS alert is not offered while an event runs at the chosen site', async () => {
  await open(fireRuns())
  await expect.element(group('SMS alert to wardens')).not.toBeInTheDocument()

  await box('Library').click()

  await expect.element(group('SMS alert to wardens')).toBeVisible()
})

test('EVENT-37 the button works only when buildings, type and message are all set', async () => {
  await open()
  await expect.element(button('Start Event')).toBeDisabled()
  await box('Tower A').click()
  await expect.element(button('Start Event')).toBeDisabled()
  await typeSelect().selectOptions(fire.type)
  await expect.element(button('Start Event')).toBeEnabled()
  await message().fill('   ')
  await expect.element(button('Start Event')).toBeDisabled()
})

test('EVENT-50 the type fills in its message until the manager has written another', async () => {
  await open()
  await typeSelect().selectOptions(fire.type)
  await expect.element(message()).toHaveValue(fire.message)
  await typeSelect().selectOptions(drill.type)
  await expect.element(message()).toHaveValue(drill.message.slice(0, 130))

  await message().fill('Stay inside')
  await typeSelect().selectOptions(fire.type)
  await expect.element(message()).toHaveValue('Stay inside')
})

test('EVENT-35 EVENT-36 AMB-087 while an event runs its type is set, and leaving it suggests the concluded text', async () => {
  await open(fireRuns())
  await expect.element(typeSelect()).toBeDisabled()
  await expect.element(typeSelect()).toHaveValue(fire.id)

  await box(/Tower A/).click()
  await expect.element(message()).toHaveValue('The event at Harbour Quarter (Tower A) has concluded')
  await box(/Tower B/).click()
  await expect.element(message()).toHaveValue('The event at Harbour Quarter has concluded')
  await box(/Annex/).click()
  await expect.element(message()).toHaveValue(fire.message)
})

test('EVENT-38 the message holds 130 characters, and the counter follows', async () => {
  await open()
  const full = 'x'.repeat(130)
  await message().fill(full)
  await expect.element(page.getByText('130/130')).toBeVisible()

  await userEvent.keyboard('y')
  await message().fill('z'.repeat(131))

  await expect.element(message()).toHaveValue(full)
})
