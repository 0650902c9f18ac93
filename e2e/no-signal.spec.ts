import { type FloorData, getFloorData } from '@evac/contract/evacuation.ts'
import type { Page } from '@playwright/test'
import { onDuty, startEvent } from './support/api.ts'
import { expect, openFromMenu, reportInOn, signInOn, test } from './support/test.ts'

const card = (page: Page, name: string) => page.getByRole('listitem').filter({ hasText: name }).last()

async function mark(page: Page, name: string, status: string) {
  await card(page, name)
    .getByRole('button', { name: /Unknown|Safe on floor|Danger on floor/ })
    .click()
  await page.getByRole('dialog').getByRole('button', { name: status }).click()
}

test('FLOOR-17 without signal a record waits on the phone and is sent when the signal is back, also after the tab is closed', async ({
  organisation,
  phone,
  product,
}) => {
  await startEvent(product, organisation)
  const page = await phone()
  await signInOn(page, organisation.floor1)
  await reportInOn(page)
  await openFromMenu(page, 'floor evacuation')
  await expect(card(page, 'Bruno Castillo 02')).toBeVisible()

  await page.context().setOffline(true)
  await mark(page, 'Bruno Castillo 02', 'Danger on floor')
  await mark(page, 'Chen Liu 03', 'Safe on floor')
  await expect(card(page, 'Bruno Castillo 02')).toContainText('(waiting)')
  await expect(page.getByText(/Offline/)).toBeVisible()
  const observer = await onDuty(product, organisation.floor1)
  const before = (await observer(getFloorData, {})) as FloorData
  expect(before.persons.filter(({ status }) => status !== 'unknown')).toEqual([])

  const context = page.context()
  await page.close({ runBeforeUnload: false })
  await context.setOffline(false)
  const again = await context.newPage()
  await again.goto('/floor/evacuation')

  await expect(card(again, 'Bruno Castillo 02').getByRole('button', { name: /Danger on floor/ })).toBeVisible()
  await expect(card(again, 'Bruno Castillo 02')).not.toContainText('(waiting)')
  const statusOf = async (name: string) => {
    const { persons } = (await observer(getFloorData, {})) as FloorData
    return persons.find((person) => person.name === name)?.status
  }
  await expect.poll(() => statusOf('Bruno Castillo 02')).toBe('danger')
  await expect.poll(() => statusOf('Chen Liu 03')).toBe('safe')
})
