import { concludeEvent, startEvent } from '../rig/api.ts'
import { expect, expectAccessible, mark, press, signInOn, test } from './support/test.ts'

const desk = { width: 1440, height: 900 }

test('BOARD-01 BOARD-10 BOARD-13 a warden clears a floor and records someone in danger there: row, need and contradiction within 3 s on the board', async ({
  floorPhone,
  organisation,
  phone,
}) => {
  const chief = await phone({ viewport: desk })
  await signInOn(chief, organisation.chief)
  await chief.goto('/event/board')
  const floor = (words: RegExp) => chief.getByRole('gridcell', { name: words })
  await expect(floor(/^Tower A, Level 1: Not Started/)).toBeVisible()
  await expectAccessible(chief, 'the board')

  await floorPhone.getByRole('combobox', { name: 'Floor status', exact: true }).selectOption('Evacuated')
  await press(floorPhone, 'Set it')
  await expect(floor(/^Tower A, Level 1: Evacuated/)).toBeVisible({ timeout: 3000 })

  await mark(floorPhone, 'Bruno Castillo 02', 'Danger on floor')
  const needs = chief.getByRole('region', { name: /^Needs you/ }).getByRole('listitem')
  await expect(floor(/^Tower A, Level 1: Evacuated, 1 in danger/)).toBeVisible({ timeout: 3000 })
  await expect(needs.nth(0)).toContainText(/Tower A · Level 1.*1 in danger, newest \d\d:\d\d/)
  await expect(floor(/^Tower A, Level 1: Evacuated, 1 in danger.* 2 contradictions/)).toBeVisible({ timeout: 3000 })
  await expect(needs.filter({ hasText: /Level 1.*Cleared \d\d:\d\d, in danger \d\d:\d\d/ })).toBeVisible()
  await expect(needs.filter({ hasText: /Level 1.*PEEP unknown/ })).toBeVisible()
  await expect(chief.locator('[data-board-news]')).toHaveText('New: 1 in danger, Tower A · Level 1')

  // the list leads to the floor, and the panel to its page
  await needs.nth(0).getByRole('button').click()
  const panel = chief.getByRole('region', { name: 'Tower A · Level 1' })
  await expect(panel).toContainText(/Evacuated, .* by /)
  await panel.getByRole('button', { name: 'Open floor' }).click()
  await expect(chief.getByRole('heading', { name: 'Bruno Castillo 02' })).toBeVisible()
})

test('BOARD-30 BOARD-31 BOARD-34 BOARD-36 BOARD-37 a wall in a fresh profile comes alive 4 s after the start and is cleared 4 s after End', async ({
  organisation,
  phone,
  product,
}) => {
  const chief = await phone({ viewport: desk })
  await signInOn(chief, organisation.chief)
  await chief.goto('/event/walls')
  await chief.getByLabel('Name of the screen').fill('Control room')
  await chief.getByLabel('In a room used by the emergency team').check()
  await press(chief, 'Make a link')
  const link = await chief.getByRole('textbox', { name: 'Link' }).inputValue()
  expect(link).toMatch(/\/wall#[\w-]{43,}$/)
  await expect(chief.getByRole('img', { name: 'QR code of the link for Control room' })).toBeVisible()
  await expectAccessible(chief, 'wall screens')

  const wall = await phone({ viewport: { width: 1920, height: 1080 } })
  await wall.goto(link)
  await expect(wall.getByText('No Current Events')).toBeVisible()
  await expect(wall.getByText('Connected')).toBeVisible()
  await expectAccessible(wall, 'a wall without an event')

  const manager = await startEvent(product, organisation)
  await expect(wall.getByRole('region', { name: 'Totals' })).toBeVisible({ timeout: 4000 })
  await expectAccessible(wall, 'a wall')
  expect(await wall.getByRole('button').count()).toBe(0)
  await concludeEvent(manager)
  await expect(wall.getByText('No Current Events')).toBeVisible({ timeout: 4000 })
  await startEvent(product, organisation)
  await expect(wall.getByRole('region', { name: 'Totals' })).toBeVisible({ timeout: 4000 })

  await chief.getByRole('button', { name: 'End Control room' }).click()
  await chief.getByRole('alertdialog').getByRole('button', { name: 'End' }).click()
  await expect(wall.getByText('This screen link no longer works.')).toBeVisible({ timeout: 4000 })
  expect(await wall.getByRole('region').count()).toBe(0)
})
