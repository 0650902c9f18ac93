import type { Page } from '@playwright/test'
import { startEvent } from '../rig/api.ts'
import { importOrganisation } from '../rig/organisation.ts'
import { picture, snapshot } from './support/pictures.ts'
import { expect, openFloorOn, signInOn, test } from './support/test.ts'

const towerA = (page: Page) => page.getByRole('region', { name: 'Tower A' })
const take = (page: Page) => towerA(page).getByRole('button', { name: /Take this floor.*Ground/ })

const openCoverage = async (page: Page, warden: string) => {
  await openFloorOn(page, warden)
  await page.goto('/event/coverage')
  await expect(take(page)).toBeVisible()
}

test('COV-01 COV-08 COV-11 COV-12 COV-13 two wardens take one floor at once, all read who has it, and it is given back when its own warden comes', async ({
  phone,
  product,
}) => {
  test.setTimeout(180_000)
  const organisation = await importOrganisation(product, { furtherWardens: 1 })
  await startEvent(product, organisation, ['Tower A', 'Tower B'])
  const [one, two, third, manager] = [await phone(), await phone(), await phone(), await phone()]
  await openCoverage(one, organisation.floor1)
  await openCoverage(two, organisation.floor2)
  await openFloorOn(third, organisation.towerB)
  await signInOn(manager, organisation.chief)
  await manager.goto('/event/coverage')
  const find = towerA(manager).getByRole('button', { name: /^Ask.*someone to take Ground/ })
  await expect(find).toBeVisible()
  await picture(manager, 'floors-without-a-warden')

  await find.click()
  const ask = manager.getByRole('button', { name: /^Ask.*Lucas/ })
  await expect(ask).toBeVisible()
  await picture(manager, 'floor-candidates')
  await ask.click()
  const sheet = third.getByRole('alertdialog', { name: 'Can you take Ground, Tower A?' })
  await expect(sheet).toBeVisible()
  await picture(third, 'floor-offer')

  await Promise.all([take(one).click(), take(two).click()])

  const has = (page: Page) => page.getByRole('button', { name: /^Give back/ })
  await expect.poll(async () => (await has(one).count()) + (await has(two).count())).toBe(1)
  const [winner, loser] = (await has(one).isVisible()) ? [one, two] : [two, one]
  await expect(has(winner)).toBeVisible()
  const name = winner === one ? 'Oliver Level One' : 'Aisha Level Two'
  await expect(loser.getByText(`${name} has just taken it. Thank you.`)).toBeVisible()
  await expect(third.getByText(`Taken by ${name}. Thank you.`)).toBeVisible()
  await snapshot(third, 'floor-offer-taken')
  await expect(third.getByRole('alertdialog')).toBeHidden()
  await picture(winner, 'floor-taken')

  await manager.goto('/floor/warden/status')
  await expect(manager.getByRole('list', { name: 'Floors', exact: true })).toContainText(`Taken by ${name}`)

  const own = await phone()
  await openFloorOn(own, organisation.furtherWarden)
  const hasCome = winner.getByRole('status').getByText(/ is now on Ground\.$/)
  await expect(hasCome).toBeVisible()
  await picture(winner, 'own-warden-has-come')
  await winner.getByRole('status').getByRole('button', { name: 'Give back' }).click()
  await expect(hasCome).toBeHidden()
  await expect(manager.getByRole('list', { name: 'Floors', exact: true })).not.toContainText('Taken by')
})
