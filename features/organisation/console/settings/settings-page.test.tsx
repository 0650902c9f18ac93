import { afterEach, beforeEach, expect, test } from 'vitest'
import { page } from 'vitest/browser'
import { getNow } from '#features/assignments/calls/waiting.ts'
import type { EventUid } from '#kernel/ids.ts'
import { Console } from '#web/app/console/console.tsx'
import { expectNoAxeViolations } from '#web/testing/axe.ts'
import { givenConsole, quay, serveConsole } from '#web/testing/console.ts'
import { refused, serverForEachTest } from '#web/testing/fake-server.ts'
import { renderScreen } from '#web/testing/render-screen.tsx'
import { getSettings, type Settings, saveSettings } from '../../calls/settings.ts'

const server = serverForEachTest()
const settings: Settings = {
  version: '1763854927.5',
  name: 'Harbour',
  timezone: 'Australia/Sydney',
  country: 'AU',
  ...{
    contact_email: '',
    sms_allowed: true,
    sms_links: null,
    sms_alerts: 100,
    calls: null,
    coverage_minutes: 3,
    coverage_mail: true,
    log_head_addresses: '',
    share_plans: 'unless no',
  },
  days: { messages: null, events: 800, audit: null, plans: null },
  command_minutes: 5,
  server: {
    sms_links: 5000,
    sms_alerts: 200_000,
    calls: 2000,
    days: { messages: 90, events: null, audit: null, plans: null },
  },
}
const open = () => renderScreen(<Console />, { at: '/console/settings', auth: null })
const field = (name: string) => page.getByRole('textbox', { name, exact: true })
const button = (name: string) => page.getByRole('button', { name, exact: true })
const sent = () => server.received(saveSettings).map(({ input }) => input.body)

beforeEach(async () => {
  await page.viewport(1440, 900)
  givenConsole('a token')
  serveConsole(server)
  server.answer(getSettings, settings)
})

afterEach(() => page.viewport(390, 844))

test('ORG-37 the settings are shown with what the server allows, changed and saved', async () => {
  server.answer(saveSettings, { saved: { ...settings, version: '2', name: 'School' } })
  await open()
  await expect.element(field('Name')).toHaveValue('Harbour')
  await expect.element(field('Events')).toHaveValue('800')
  await expect
    .element(page.getByText('If empty: after 90 days, as set on the server. The shorter period applies.'))
    .toBeVisible()
  await expect.element(page.getByText('If empty: 5,000, as many as the server allows.')).toBeVisible()
  await expectNoAxeViolations()

  await field('Name').fill('School')
  await field('Segments a day for alerts').fill('')
  await button('Save').click()

  await expect.element(page.getByText('Saved.')).toBeVisible()
  const { server: _, ...held } = settings
  expect(sent()).toEqual([{ ...held, name: 'School', sms_alerts: null, may_delete: false }])
})

test('ORG-37 a number that is too small is told below its field, and nothing is sent', async () => {
  await open()
  await field('Messages and texts').fill('29')
  await button('Save').click()

  await expect
    .element(field('Messages and texts'))
    .toHaveAccessibleDescription('Enter a whole number from 30, or leave it empty.')
  await expectNoAxeViolations()
  expect(sent()).toEqual([])
})

test('CMD-04 minutes without a sign of life are 2 to 60', async () => {
  await open()
  await field('Minutes without contact').fill('1')
  await button('Save').click()

  await expect
    .element(field('Minutes without contact'))
    .toHaveAccessibleDescription('Enter a whole number from 2 to 60.')
  expect(sent()).toEqual([])
})

test('ORG-37 addresses of log heads stand on lines of their own, and are sent as they are', async () => {
  server.answer(getSettings, { ...settings, log_head_addresses: 'a@insurer.test\nb@insurer.test' })
  server.answer(saveSettings, ({ input: { body } }) =>
    body.log_head_addresses?.includes('nowhere')
      ? refused('invalid_request', 'One of these is not an email address.', [
          { field: 'log_head_addresses', row: 1, message: 'One of these is not an email address.' },
        ])
      : { saved: settings },
  )
  await open()
  const heads = field('Send log heads to')
  await expect.element(heads).toHaveValue('a@insurer.test\nb@insurer.test')
  await expect.element(heads).toHaveAccessibleDescription(/^Up to 3 email addresses, each on its own line\. /)
  await expectNoAxeViolations()

  await heads.fill('nowhere')
  await button('Save').click()
  await expect.element(heads).toHaveAccessibleDescription(/One of these is not an email address\./)
  await expect.element(heads).toHaveFocus()
  await heads.fill('a@insurer.test')
  await button('Save').click()

  await expect.element(page.getByText('Saved.')).toBeVisible()
  expect(sent().map(({ log_head_addresses }) => log_head_addresses)).toEqual(['nowhere', 'a@insurer.test'])
})

test('CELL-04 while the organisation moves, saving says so and keeps what was typed', async () => {
  const message = 'This organisation is moving. Try again in a few minutes.'
  server.answer(saveSettings, refused('unavailable', message))
  await open()
  await field('Calls a day').fill('500')
  await button('Save').click()

  await expect.element(page.getByText(message)).toBeVisible()
  await expect.element(field('Calls a day')).toHaveValue('500')
})

test('ORG-38 shorter days ask what they delete; Cancel saves nothing, and the other button does', async () => {
  server.answer(saveSettings, ({ input: { body } }) =>
    body.may_delete
      ? { saved: { ...settings, days: body.days } }
      : { deletes: [{ kind: 'events' as const, count: 1204, before: '2025-11-23' }] },
  )
  await open()
  await field('Events').fill('400')
  await button('Save').click()
  const question = page.getByText('This deletes 1,204 events older than 23 Nov 2025 tonight. It cannot be undone.')
  await expect.element(question).toBeVisible()
  await expect.element(page.getByRole('alertdialog').getByRole('button', { name: 'Cancel' })).toHaveFocus()
  await expectNoAxeViolations()
  await page.getByRole('alertdialog').getByRole('button', { name: 'Cancel' }).click()
  await expect.element(page.getByText('Nothing was saved.')).toBeVisible()

  await button('Save').click()
  await button('Delete and save').click()

  await expect.element(page.getByText('Saved.')).toBeVisible()
  expect(sent().map(({ may_delete }) => may_delete)).toEqual([false, false, true])
})

test('ORG-37 someone else saved first: both values stand side by side, and nothing is lost', async () => {
  const theirs = { ...settings, version: '1763854999', name: 'Theirs', country: 'NZ' }
  server.answer(saveSettings, ({ input: { body } }) =>
    body.version === settings.version ? refused('changed_since') : { saved: { ...theirs, name: body.name } },
  )
  await open()
  await field('Name').fill('Mine')
  server.answer(getSettings, theirs)
  await button('Save').click()
  await expect.element(page.getByText(/^Someone else changed this at/)).toBeVisible()
  await expectNoAxeViolations()
  await page.getByRole('button', { name: 'Keep mine: Name' }).click()
  await button('Save').click()

  await expect.element(page.getByText('Saved.')).toBeVisible()
  expect(sent().at(-1)).toMatchObject({ version: '1763854999', name: 'Mine', country: 'NZ' })
})

test('ORG-37 while an event runs, zone and texts wait, with the reason beside them', async () => {
  const event = { uid: 'e0000000-0000-4000-8000-000000000000' as EventUid, site: quay.name }
  server.answer(getNow, { events: [{ ...event, started_at: '2026-11-22T23:00:00.000Z' }], waiting: [] })
  await open()

  await expect.element(page.getByRole('combobox', { name: 'Time zone' })).toBeDisabled()
  await expect.element(page.getByRole('checkbox', { name: 'Send texts' })).toBeDisabled()
  await expect
    .element(page.getByText('An event is running at Harbour Quarter. This can be changed when it has ended.').first())
    .toBeVisible()
})
