import { concludeEvent, startEvent } from '../rig/api.ts'
import { picture } from './support/pictures.ts'
import { card, expect, expectAccessible, mark, openFloorOn, press, signInOn, test } from './support/test.ts'

test('AAR-03 LOG-09 AAR-10 AAR-28 AAR-31 AAR-34 AAR-36 a drill leaves a record, and what one manager adds the other reads', async ({
  product,
  organisation,
  phone,
}) => {
  const manager = await startEvent(product, organisation, ['Tower A'], { kind: 'drill' })
  const warden = await phone()
  await openFloorOn(warden, organisation.floor1)
  await mark(warden, 'Bruno Castillo 02', 'Safe on floor')
  await mark(warden, 'Chen Liu 03', 'Danger on floor')
  for (const name of ['Bruno Castillo 02', 'Chen Liu 03'])
    await expect(card(warden, name)).not.toContainText('(waiting)')
  await concludeEvent(manager)

  const chief = await phone()
  await signInOn(chief, organisation.chief)
  await chief.getByRole('link', { name: 'Past events' }).click()
  await expect(async () => {
    await press(chief, 'Refresh')
    await expect(chief.getByText('Record 1', { exact: true })).toBeVisible({ timeout: 2000 })
  }).toPass()
  await picture(chief, 'past-events', { matrix: true })
  await chief.getByRole('listitem').getByRole('link').first().click()
  await expect(chief.getByRole('heading', { name: 'Summary' })).toBeVisible({ timeout: 60_000 })
  await expect(chief.getByText('DRILL. Record 1', { exact: true })).toBeVisible()
  await expect(chief.getByText(/1 in danger at the end/)).toBeVisible()
  const address = new URL(chief.url()).pathname

  await press(chief, 'Add an observation')
  await chief.getByLabel('What you saw').fill('The stair door of Level 1 stuck.')
  await press(chief, 'Save')
  await press(chief, 'Add an action')
  await chief.getByLabel('What is to be done').fill('Repair the stair door')
  await chief.getByLabel('Due').fill('2035-01-15')
  await press(chief, 'Save')
  await press(chief, 'Sign off')
  await press(chief, 'Sign')
  await expect(chief.getByRole('region', { name: 'Header' }).getByText(/^Signed by /)).toBeVisible()
  await expect(
    chief.getByRole('region', { name: 'Log', exact: true }).getByText(/^Log head \d+ [\w+/]{43}=$/),
  ).toBeVisible()
  await expect(chief.getByRole('img', { name: 'QR code of the log head' })).toBeVisible()
  await picture(chief, 'record', { matrix: true })
  await chief.emulateMedia({ media: 'print' })
  await expect(chief.getByText('DRILL. Record 1', { exact: true })).toBeVisible()
  for (const control of ['button', 'textbox', 'banner'] as const) await expect(chief.getByRole(control)).toHaveCount(0)
  await chief.emulateMedia({ media: null })

  const deputy = await phone()
  await signInOn(deputy, organisation.deputy)
  await deputy.goto(address)
  await expect(deputy.getByText('The stair door of Level 1 stuck.').first()).toBeVisible()
  await expect(deputy.getByRole('region', { name: 'Header' }).getByText(/^Signed by /)).toBeVisible()
  await press(deputy, 'Repair the stair door')
  await press(deputy, 'Mark as done')
  await expect(deputy.getByText('The action is done.')).toBeVisible()
  await chief.reload()
  await expect(chief.getByRole('list', { name: 'Steps: Repair the stair door' })).toContainText('Done')

  await deputy.getByRole('link', { name: 'Timeline', exact: true }).click()
  await expect(deputy.getByText(/Chen Liu 03: In Danger/).first()).toBeVisible()
  await expect(deputy.getByText(/Bruno Castillo 02: Safe/)).toBeHidden()
  await deputy.getByText('Everything').click()
  await expect(deputy.getByText(/Bruno Castillo 02: Safe/).first()).toBeVisible()
  await picture(deputy, 'timeline', { matrix: true })

  await chief.goto('/event/records/actions')
  await expect(chief.getByText('No actions.')).toBeVisible()
  await chief.getByText('Done', { exact: true }).click()
  await press(chief, 'Repair the stair door')
  await expectAccessible(chief, 'the steps of an action')
  await press(chief, 'Verify')
  await expect(chief.getByText('The action is verified.')).toBeVisible()
})

test('AAR-22 AAR-05 LOG-09 what a phone sends after the end is listed on the record, and a sign-off has the log head of then', async ({
  product,
  organisation,
  phone,
}) => {
  const manager = await startEvent(product, organisation, ['Tower A'], { kind: 'drill' })
  const warden = await phone()
  await openFloorOn(warden, organisation.floor1)
  await expect(card(warden, 'Chen Liu 03')).toBeVisible()
  await warden.context().setOffline(true)
  await mark(warden, 'Bruno Castillo 02', 'Danger on floor')
  await mark(warden, 'Chen Liu 03', 'Safe on floor')
  await expect(card(warden, 'Chen Liu 03')).toContainText('(waiting)')
  await concludeEvent(manager)

  const chief = await phone()
  await signInOn(chief, organisation.chief)
  await chief.getByRole('link', { name: 'Past events' }).click()
  await expect(async () => {
    await press(chief, 'Refresh')
    await expect(chief.getByText('Record 1', { exact: true })).toBeVisible({ timeout: 2000 })
  }).toPass()
  await chief.getByRole('listitem').getByRole('link').first().click()
  await expect(chief.getByRole('heading', { name: 'Summary' })).toBeVisible({ timeout: 60_000 })
  const result = await chief.getByRole('region', { name: 'Header' }).textContent()
  const late = chief.getByRole('region', { name: 'Arrived after the end' })
  await expect(late).toBeHidden()

  await warden.context().setOffline(false)
  await expect(warden.getByText('Added to the record of the event.')).toBeVisible()
  await expect(async () => {
    await chief.reload()
    await expect(late.getByText('2 records from phones')).toBeVisible({ timeout: 5000 })
  }).toPass()
  await expect(late.getByRole('row').filter({ hasText: 'A person on Tower A - Level 1' })).toHaveCount(2)
  await expect(late.getByRole('row').filter({ hasText: 'In Danger' })).toHaveCount(1)
  const now = await chief.getByRole('region', { name: 'Header' }).textContent()
  expect(now).toBe(result?.replace('0 records that arrived', '2 records that arrived'))
  await press(chief, 'Sign off')
  await press(chief, 'Sign')
  await expect(chief.getByRole('region', { name: 'Sign-off' }).getByText(/^Log head \d+ [\w+/]{43}=$/)).toBeVisible()
  await picture(chief, 'record-late', { matrix: true })
  await late.getByRole('button', { name: 'Show names' }).click()
  await expect(late.getByRole('list', { name: 'Names' })).toContainText('Bruno Castillo 02')
  await expectAccessible(chief, 'names of what arrived after the end')
  await chief.emulateMedia({ media: 'print' })
  await expect(late.getByText('In Danger', { exact: true })).toBeVisible()
  await expect(chief.getByRole('region', { name: 'Sign-off' }).getByText(/^Log head/)).toBeVisible()
})
