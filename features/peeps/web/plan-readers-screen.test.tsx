import { expect, test } from 'vitest'
import { page } from 'vitest/browser'
import { expectNoAxeViolations } from '#web/testing/axe.ts'
import { refused, serverForEachTest } from '#web/testing/fake-server.ts'
import { renderScreen } from '#web/testing/render-screen.tsx'
import { listPlanReaders } from '../calls/plan-access.ts'
import { PlanReadersScreen } from './plan-readers-screen.tsx'

const server = serverForEachTest()
const at = '2026-11-25T12:00:00.000Z'
const open = () => renderScreen(<PlanReadersScreen />, { at: '/event/plans' })

test('PEEP-09 readers and numbers, and no person', async () => {
  server.answer(listPlanReaders, {
    readers: [
      { name: 'Ann Lee', role: 'Chief Warden', opened: 2, listed: 1200, last_at: at },
      { name: 'Fire service: Kim, Engine 4', role: null, opened: 1, listed: 0, last_at: at },
      { name: 'Bo Ray', role: 'Floor Warden', opened: 0, listed: 1, last_at: at },
    ],
    more: 4,
  })
  await open()

  for (const words of [
    'Opened 2 plans, read 1,200 plans in lists',
    'Opened 1 plan',
    'Read 1 plan in lists',
    'And 4 more.',
  ])
    await expect.element(page.getByText(words, { exact: true })).toBeVisible()
  await expect.element(page.getByRole('heading', { name: 'Fire service: Kim, Engine 4' })).toBeVisible()
  await expectNoAxeViolations()
})

test('PEEP-09 no one yet', async () => {
  server.answer(listPlanReaders, { readers: [], more: 0 })
  await open()
  await expect.element(page.getByText('Nothing here.')).toBeVisible()
  await expectNoAxeViolations()
})

test('PEEP-09 a read that failed says so and is tried again', async () => {
  server.answer(listPlanReaders, refused('unavailable', 'busy'))
  await open()
  await expect.element(page.getByText('The service is busy. Please try again in a moment.')).toBeVisible()
  await expectNoAxeViolations()

  server.answer(listPlanReaders, { readers: [], more: 0 })
  await page.getByRole('button', { name: 'Try again' }).click()
  await expect.element(page.getByText('Nothing here.')).toBeVisible()
})
