import { onDuty, startEvent } from '../rig/api.ts'
import { importOrganisation } from '../rig/organisation.ts'
import { card, expect, mark, openFromMenu, reportInOn, signInOn, test } from './support/test.ts'

test('SAFE-29 SAFE-24 FES-01 FES-02 FES-08 PROD-13 UX-21 one record on three screens of three phones: floor, evacuee safety, floor status', async ({
  phone,
  product,
}) => {
  const organisation = await importOrganisation(product, { visitors: ['Vera Visits'] })
  await startEvent(product, organisation)
  await onDuty(product, organisation.floor2)
  const [chief, deputy, warden] = [await phone(), await phone(), await phone()]
  for (const [page, email, entry] of [
    [chief, organisation.chief, 'evacuee safety'],
    [deputy, organisation.deputy, 'floor evacuation status'],
    [warden, organisation.floor1, 'floor evacuation'],
  ] as const) {
    await signInOn(page, email)
    // the chief is on duty since the start of the event
    if (page !== chief) await reportInOn(page)
    await openFromMenu(page, entry)
  }
  await deputy.getByRole('button', { name: /^Level 1/ }).click()
  await expect(card(deputy, 'Bruno Castillo 02').getByRole('button', { name: /Unknown/ })).toBeVisible()

  // Back closes the floors to choose from, and stays on the page
  await chief.getByRole('group', { name: 'Filters' }).locator('[aria-expanded]').first().click()
  const areas = chief.getByRole('region', { name: 'Select Building/Floors' })
  await expect(areas).toBeVisible()
  await chief.evaluate(() => history.back())
  await expect(areas).toBeHidden()
  await expect(chief).toHaveURL(/\/evacuee\/safety$/)

  // two taps on the safety screen, found by part of a name; the two other phones follow
  await chief.getByRole('searchbox', { name: 'Search Evacuees' }).fill('castillo 02')
  await expect(chief.getByRole('heading', { name: 'Amara Adeyemi 01' })).toBeHidden()
  await card(chief, 'Bruno Castillo 02')
    .getByRole('button', { name: /Unknown/ })
    .click()
  await chief.getByRole('dialog').getByRole('button', { name: 'In Danger' }).click()
  await expect(card(warden, 'Bruno Castillo 02').getByRole('button', { name: /Danger on floor/ })).toBeVisible()
  await expect(card(deputy, 'Bruno Castillo 02').getByRole('button', { name: /Danger on floor/ })).toBeVisible()
  await expect(deputy.getByRole('button', { name: /^Level 1/ })).toContainText('Danger 1')

  // and the other way, from the warden-side view
  await card(deputy, 'Bruno Castillo 02')
    .getByRole('button', { name: /Danger on floor/ })
    .click()
  await deputy.getByRole('dialog').getByRole('button', { name: 'Safe on floor' }).click()
  await expect(card(chief, 'Bruno Castillo 02').getByRole('button', { name: /Safe on floor/ })).toBeVisible()
  await expect(card(warden, 'Bruno Castillo 02').getByRole('button', { name: /Safe on floor/ })).toBeVisible()

  // who is on no floor is seen by name, and stays there
  await deputy.getByRole('button', { name: /^Not on a floor/ }).click()
  await mark(deputy, 'Vera Visits', 'Danger on floor')
  await expect(deputy.getByRole('button', { name: /^Not on a floor/ })).toContainText('Danger 1')
  await expect(card(deputy, 'Vera Visits').getByText('Tower A · Visitor')).toBeVisible()
})
