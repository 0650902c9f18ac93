import { startEvent } from '../rig/api.ts'
import { picture } from './support/pictures.ts'
import { expect, openFromMenu, signInOn, test } from './support/test.ts'

test('FLOOR-05 FES-01 BLDG-03 FWS-05 DUTY-04 the screens of an event, in every size', { tag: '@long' }, async ({
  organisation,
  phone,
  product,
}) => {
  test.slow()
  await startEvent(product, organisation, ['Tower A', 'Tower B'], { broadcastMessage: 'yes' })
  const page = await phone()
  await signInOn(page, organisation.chief)
  await openFromMenu(page, 'floor evacuation')
  await page.getByRole('combobox', { name: 'Floor', exact: true }).selectOption('Level 1')
  await expect(page.getByRole('heading', { name: 'Amara Adeyemi 01' })).toBeVisible()
  await picture(page, 'floor-evacuation', { tight: true })
  await page.getByRole('button', { name: 'Amara Adeyemi 01: Unknown' }).click()
  await picture(page, 'floor-status-sheet', { tight: true })
  await page.getByRole('button', { name: 'Close' }).click()

  await openFromMenu(page, 'floor evacuation status')
  await page.getByRole('button', { name: /^Level 1/ }).click()
  await expect(page.getByRole('heading', { name: 'Amara Adeyemi 01' })).toBeVisible()
  await picture(page, 'floor-overview', { tight: true })
  await openFromMenu(page, 'Evacuation Status')
  await expect(page.getByRole('table', { name: 'Tower A' })).toBeVisible()
  await picture(page, 'building-safety', { tight: true })
  await openFromMenu(page, 'Wardens On duty')
  await page.getByRole('button', { name: /^Floor Warden/ }).click()
  await picture(page, 'wardens-on-duty', { tight: true })
  await openFromMenu(page, 'Floor Warden Status')
  await page
    .getByRole('list', { name: 'Floors', exact: true })
    .getByRole('button', { name: /Level 1/ })
    .click()
  await picture(page, 'floor-warden-status', { tight: true })
  await openFromMenu(page, 'evacuee safety')
  await page.getByRole('button', { name: 'Areas' }).click()
  await picture(page, 'evacuee-safety-areas', { tight: true })
  await openFromMenu(page, 'Event Management')
  await page.getByRole('button', { name: 'Not reached: call instead' }).click()
  await expect(page.getByRole('list', { name: 'Not reached' })).toBeVisible()
  // not with a checkbox half under the bar, where the press has scrolled to
  await page.evaluate(() => scrollTo(0, 0))
  await picture(page, 'event-running', { tight: true })
})
