import { concludeEvent, startEvent } from '../rig/api.ts'
import { desk, lookAt, openConsole } from './support/console.ts'
import { picture } from './support/pictures.ts'
import { expect, expectAccessible, press, signInOn, test } from './support/test.ts'

test('AAR-01 AAR-31 AAR-36 AAR-37 AAR-42 trends, an open action and a hold on a phone, and the same records in the console', async ({
  organisation,
  phone,
  product,
}) => {
  test.slow()
  // trends are of one kind of event
  for (const kind of ['drill', 'drill', 'live'] as const)
    await concludeEvent(await startEvent(product, organisation, ['Tower A'], { kind }))
  const chief = await phone()
  await signInOn(chief, organisation.chief)
  await chief.goto('/event/records')
  await expect(async () => {
    // trends leave out what lasted less than a minute
    await product.pool.query("update event_record set began_at = ended_at - interval '2 minutes'")
    await press(chief, 'Refresh')
    await expect(chief.getByRole('img', { name: 'Highest coverage' })).toBeVisible({ timeout: 2000 })
  }).toPass()
  await picture(chief, 'trends', { matrix: true })

  await chief.getByRole('listitem').getByRole('link').first().click()
  await expect(chief.getByRole('heading', { name: 'Summary' })).toBeVisible({ timeout: 60_000 })
  await press(chief, 'Add an action')
  await chief.getByLabel('What is to be done').fill('Ask the lift company for a second key')
  await chief.getByLabel('Due').fill('2035-01-15')
  await press(chief, 'Save')
  await press(chief, 'Hold')
  await chief.getByLabel('Reason').fill('Claim 2026-14 of a visitor')
  await expectAccessible(chief, 'the dialog of a hold')
  await chief.getByRole('dialog').getByRole('button', { name: 'Hold' }).click()
  await expect(chief.getByText('On hold: nothing in this event is deleted until the hold is lifted.')).toBeVisible()
  await chief.goto('/event/records/actions')
  await expect(chief.getByRole('button', { name: 'Ask the lift company for a second key' })).toBeVisible()
  await picture(chief, 'actions', { matrix: true })

  await product.pool.query(
    `insert into administrator (client_uid, person_uid, reach)
       select client_uid, uid, 'organisation' from person where email = $1`,
    [organisation.chief],
  )
  const desktop = await phone({ viewport: desk })
  await openConsole(desktop, product, organisation.chief)
  await desktop.getByRole('link', { name: 'Records', exact: true }).click()
  await expect(desktop.getByRole('link', { name: 'Fire' })).toHaveCount(3)
  await lookAt(desktop, 'console-records')
  await desktop.getByRole('link', { name: 'Fire' }).first().click()
  await expect(desktop.getByRole('heading', { name: 'Summary' })).toBeVisible()
  await lookAt(desktop, 'console-record')
})
