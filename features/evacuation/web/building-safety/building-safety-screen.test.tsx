import { onlineManager } from '@tanstack/react-query'
import { afterEach, expect, test, vi } from 'vitest'
import { page } from 'vitest/browser'
import type { BuildingUid, SiteUid } from '#kernel/ids.ts'
import { createTopicRefresh } from '#web/live/topic-refresh.ts'
import { expectNoAxeViolations } from '#web/testing/axe.ts'
import { cutOff, refused, serverForEachTest } from '#web/testing/fake-server.ts'
import { drawAs } from '#web/testing/media.ts'
import { renderScreen } from '#web/testing/render-screen.tsx'
import { storedAuth } from '#web/testing/stored-auth.ts'
import { type BuildingSafety, getSafetySummary, type SafetySummary } from '../../calls/building-safety.ts'
import { BuildingSafetyScreen } from './building-safety-screen.tsx'

const server = serverForEachTest()
afterEach(() => onlineManager.setOnline(true))

const statsOf = (safe: number, unknown: number, danger: number) => ({
  safe,
  unknown,
  danger,
  total: safe + unknown + danger,
})
const building = (n: number, name: string, stats = statsOf(1, 2, 3), duration = 5): BuildingSafety => ({
  id: `00000000-0000-4000-8000-00000000000${n}` as BuildingUid,
  name,
  stats,
  duration,
})
const summary: SafetySummary = {
  site: { id: '00000000-0000-4000-8000-000000000009' as SiteUid, name: 'Harbour Quarter' },
  total: statsOf(41, 8, 1),
  buildings: [building(1, 'Tower A', statsOf(40, 4, 1), 3661), building(2, 'Tower B', statsOf(1, 4, 0), 59)],
}
const open = () => renderScreen(<BuildingSafetyScreen />, { at: '/building/status' })
const table = (name: string) => page.getByRole('table', { name })
const cellsOf = (name: string) =>
  [...(table(name).element() as HTMLTableElement).querySelectorAll('td')].map((cell) =>
    [...cell.children].map(({ textContent }) => textContent),
  )
const sample = () => document.querySelector('[data-sample]')
const empty = () => page.getByText('No Current Events')

test('BLDG-01 BLDG-02 BLDG-03 BLDG-04 BLDG-06 AMB-119 site and buildings with their counts, the site with shares', async () => {
  server.answer(getSafetySummary, summary)
  await open()

  await expect.element(page.getByRole('heading', { name: 'Harbour Quarter' })).toBeVisible()
  expect(cellsOf('Harbour Quarter, all buildings')).toEqual([['41', '82%'], ['8', '16%'], ['1', '2%'], ['50']])
  expect(cellsOf('Tower A')).toEqual([['40'], ['4'], ['1'], ['45']])
  expect(cellsOf('Tower B')).toEqual([['1'], ['4'], ['0'], ['5']])
  const heads = [...table('Tower A').element().querySelectorAll('th')].map(({ textContent }) => textContent)
  expect(heads).toEqual(['Safe', 'Unknown', 'Danger', 'Total'])
  expect(sample()).toBeNull()
  await expectNoAxeViolations()
})

test('UX-81 in forced colours the bars of a building keep the colours of its statuses', async () => {
  server.answer(getSafetySummary, summary)
  await open()
  await expect.element(table('Tower A')).toBeVisible()
  const shares = () =>
    [...document.querySelectorAll('[data-bar] > *')].map((one) => getComputedStyle(one).backgroundColor)
  const before = shares()
  expect(new Set(before).size).toBe(3)

  await drawAs('forced colours')

  expect(matchMedia('(forced-colors: active)').matches).toBe(true)
  expect(shares()).toEqual(before)
})

test('BLDG-04 a status of a building leads to the people counted; no one, the total and the site lead nowhere', async () => {
  server.answer(getSafetySummary, summary)
  const { address } = await open()
  await expect.element(table('Tower A')).toBeVisible()

  const names = page
    .getByRole('link')
    .elements()
    .map((link) => link.getAttribute('aria-label'))
  expect(names).toEqual([
    ...['40 Safe, Tower A', '4 Unknown, Tower A', '1 Danger, Tower A', '1 Safe, Tower B', '4 Unknown, Tower B'],
  ])
  await page.getByRole('link', { name: '1 Danger, Tower A' }).click()
  expect(address()).toBe(`/evacuee/safety?display=danger&building=${summary.buildings[0]?.id}`)
})

test('BLDG-04 without the module of that list the counts lead nowhere', async () => {
  server.answer(getSafetySummary, summary)
  const { module_access } = storedAuth()
  await renderScreen(<BuildingSafetyScreen />, {
    at: '/building/status',
    auth: { module_access: { ...module_access, Module_Evacuee_Safety: false } },
  })

  await expect.element(table('Tower A')).toBeVisible()
  expect(page.getByRole('link').elements()).toEqual([])
})

test('BLDG-03 the bar is in proportion, and one in ten thousand is still to be seen', async () => {
  const stats = statsOf(9998, 1, 1)
  server.answer(getSafetySummary, { ...summary, total: stats, buildings: [building(1, 'Tower A', stats)] })
  await open()

  const bar = page.getByRole('img', { name: 'Safe >99%, Unknown <1%, Danger <1%' }).first()
  await expect.element(bar).toBeVisible()
  const widths = [...bar.element().children].map((part) => part.getBoundingClientRect().width)
  expect(widths).toHaveLength(3)
  expect(Math.min(...widths)).toBeGreaterThanOrEqual(8)
  expect(widths[0]).toBeGreaterThan(200)
})

test('BLDG-05 AMB-118 the duration counts on between two answers', async () => {
  server.answer(getSafetySummary, summary)
  await open()

  await expect.element(page.getByText('1:01:01')).toBeVisible()
  await expect.element(page.getByText('0:00:59')).toBeVisible()
  await expect.element(page.getByText('0:01:01'), { timeout: 3000 }).toBeVisible()
  await expect.element(page.getByText('1:01:03'), { timeout: 3000 }).toBeVisible()
  expect(server.received(getSafetySummary)).toHaveLength(1)
})

test('BLDG-07 BLDG-11 BLDG-12 PROD-12 an error status is the empty state, without the sample and without numbers', async () => {
  server.answer(getSafetySummary, { status: 'error', message: 'No Current Events' })
  await open()

  await expect.element(empty()).toBeVisible()
  expect(sample()).toBeNull()
  await expect.element(page.getByRole('table')).not.toBeInTheDocument()
  await expectNoAxeViolations()
})

test('BLDG-11 AMB-149 who is not on duty reads why there is nothing', async () => {
  server.answer(getSafetySummary, { status: 'error', message: 'You are not on duty in this event.' })
  await open()

  await expect.element(empty()).toBeVisible()
  await expect.element(page.getByText('You are not on duty in this event.')).toBeVisible()
})

test('BLDG-08 BLDG-12 AMB-117 until the first answer a sample stands there, said to be one and told to no one', async () => {
  const held = Promise.withResolvers<void>()
  server.answer(getSafetySummary, async () => {
    await held.promise
    return summary
  })
  await open()

  await expect.element(page.getByText('Loading...')).toBeVisible()
  expect(sample()?.getAttribute('aria-hidden')).toBe('true')
  expect(sample()?.textContent).toContain('Sample')
  expect(getComputedStyle(sample() as Element).filter).toBe('grayscale(1)')
  await expect.element(page.getByRole('table')).not.toBeInTheDocument()
  await expectNoAxeViolations()

  held.resolve()
  await expect.element(page.getByRole('heading', { name: 'Harbour Quarter' })).toBeVisible()
  expect(sample()).toBeNull()
})

test.for([
  ['refused', refused('unavailable'), 'The service is busy. Please try again in a moment.'],
  ['cut off', cutOff, 'No connection. Please check your signal and try again.'],
] as const)(
  'BLDG-12 a read that is %s: no sample, no numbers, the reason, and another try',
  async ([, answer, reason]) => {
    server.answer(getSafetySummary, answer)
    await open()

    await expect.element(empty()).toBeVisible()
    await expect.element(page.getByText(reason)).toBeVisible()
    expect(sample()).toBeNull()
    server.answer(getSafetySummary, summary)
    await page.getByRole('button', { name: 'Try again' }).click()

    await expect.element(table('Tower A')).toBeVisible()
    await expect.element(empty()).not.toBeInTheDocument()
  },
)

test('BLDG-12 UX-71 offline from the start it says that nothing was read, and no sample stays', async () => {
  server.answer(getSafetySummary, summary)
  onlineManager.setOnline(false)
  await open()

  await expect.element(page.getByText('Not on this phone yet. It needs a connection.')).toBeVisible()
  await expect.element(empty()).not.toBeInTheDocument()
  expect(sample()).toBeNull()
  onlineManager.setOnline(true)

  await expect.element(table('Tower A')).toBeVisible()
})

test('BLDG-12 a failed refresh keeps the last numbers and their age', async () => {
  server.answer(getSafetySummary, summary)
  const { queryClient } = await open()
  await expect.element(table('Tower A')).toBeVisible()
  server.answer(getSafetySummary, refused('unavailable'))

  await queryClient.refetchQueries()

  await expect.element(page.getByText(/Not up to date, as of/)).toBeVisible()
  expect(cellsOf('Tower A')).toEqual([['40'], ['4'], ['1'], ['45']])
})

test('UX-11 the totals of the site are read out when they change', async () => {
  server.answer(getSafetySummary, summary)
  const { queryClient } = await open()
  await expect.element(table('Tower A')).toBeVisible()
  server.answer(getSafetySummary, { ...summary, total: statsOf(1, 2, 3) })

  await queryClient.refetchQueries()

  await expect
    .poll(() => document.querySelector('[data-counters]')?.textContent)
    .toBe('Safe 1, Unknown 2, Danger 3, Total 6')
})

test.for(['evacuee', 'event'] as const)('RT-17 news of the topic %s bring fresh numbers', async (topic) => {
  server.answer(getSafetySummary, summary)
  const { queryClient } = await open()
  await expect.element(table('Tower A')).toBeVisible()
  vi.spyOn(Math, 'random').mockReturnValue(0)
  server.answer(getSafetySummary, { ...summary, buildings: [building(1, 'Tower A', statsOf(0, 0, 7))] })

  createTopicRefresh(queryClient).note([{ topic, ids: [] }])

  await expect.poll(() => cellsOf('Tower A')).toEqual([['0'], ['0'], ['7'], ['7']])
})
