import { beforeEach, expect, test } from 'vitest'
import { page } from 'vitest/browser'
import { chooseTheme } from '#web/lib/look/theme.ts'
import { expectNoAxeViolations } from '#web/testing/axe.ts'
import { cutOff, serverForEachTest } from '#web/testing/fake-server.ts'
import { someAssignment } from '#web/testing/stored-auth.ts'
import { listAssignmentPeeps } from '../calls/assignments.ts'
import { button, noPeeps, people, reason, showOffer } from './offer.fixture.tsx'

const server = serverForEachTest()
beforeEach(() => {
  server.answer(listAssignmentPeeps, [])
})

test('ASSIGN-02 lists person, floor and summary of each plan in the area', async () => {
  server.answer(listAssignmentPeeps, people(2))

  await showOffer()

  const entries = page.getByRole('list', { name: 'PEEP confirmation list' }).getByRole('listitem')
  await expect.poll(() => entries.elements()).toHaveLength(2)
  const read = entries.elements().map((entry) => [...entry.children].map((line) => line.textContent))
  expect(read).toEqual([
    ['Person 1', 'Tower A - Level 4', 'Summary 1'],
    ['Person 2', 'Tower A - Level 4', 'Summary 2'],
  ])
  expect(server.received(listAssignmentPeeps)[0]?.input.params).toEqual({ wardenAssignmentUID: someAssignment })
})

test.each([1, 30])('ASSIGN-04 with %i entries the list is 207 px high and scrolls inside', async (count) => {
  server.answer(listAssignmentPeeps, people(count))

  await showOffer()

  const list = page.getByRole('list', { name: 'PEEP confirmation list' })
  await expect.element(list).toBeVisible()
  const element = list.element() as HTMLElement
  expect(element.offsetHeight).toBe(207)
  expect(element.scrollHeight > element.clientHeight).toBe(count > 1)
  element.focus()
  expect(document.activeElement).toBe(element)
})

test("ASSIGN-03 without entries it reads 'There are no PEEP's in your area.', as high as the text", async () => {
  await showOffer()

  await expect.element(noPeeps).toBeVisible()
  expect((noPeeps.element() as HTMLElement).offsetHeight).toBeLessThan(100)
  expect(page.getByRole('list').query()).toBeNull()
})

test('ASSIGN-03 while the plans are read nothing is claimed about them', async () => {
  server.answer(listAssignmentPeeps, () => new Promise(() => undefined))

  await showOffer()

  await expect.element(page.getByText('Loading...', { exact: true })).toBeVisible()
  expect(noPeeps.query()).toBeNull()
  await expectNoAxeViolations()
})

test('ERR-06 plans that could not be read can be asked for again', async () => {
  server.answer(listAssignmentPeeps, cutOff)
  await showOffer()
  await expect.element(button('Try again')).toBeVisible()
  expect(noPeeps.query()).toBeNull()
  await expectNoAxeViolations()
  server.answer(listAssignmentPeeps, people(1))

  await button('Try again').click()

  await expect.element(page.getByText('Person 1', { exact: true })).toBeVisible()
})

test('UI the plans leave memory with the page and are not kept on the phone', async () => {
  server.answer(listAssignmentPeeps, people(1))
  const screen = await showOffer()
  await expect.element(page.getByText('Person 1', { exact: true })).toBeVisible()
  const cached = () => screen.queryClient.getQueryCache().getAll()
  expect(cached().map(({ meta }) => meta)).toEqual([{ private: true }])

  await button('Report In List').click()

  await expect.poll(() => cached().filter(({ state }) => state.data !== undefined)).toEqual([])
})

test.each(['dark', 'light'] as const)('UI axe clean with entries, and thumbs have room, %s', async (theme) => {
  chooseTheme(theme)
  server.answer(listAssignmentPeeps, people(30))
  await showOffer()
  await expect.element(page.getByText('Person 1', { exact: true })).toBeVisible()
  await expectNoAxeViolations()
  for (const name of ['Accept', 'Decline', 'Report In List'])
    expect(button(name).element().getBoundingClientRect().height).toBeGreaterThanOrEqual(48)
})

test('UI at 320 px nothing is cut off sideways, in either state', async () => {
  await page.viewport(320, 640)
  try {
    server.answer(listAssignmentPeeps, [
      {
        Person: 'Maximiliane Featherstonehaugh-Cholmondeley',
        PEEP_Floor: 'Tower A - Level 4',
        PEEP_Summary: 'x'.repeat(80),
      },
    ])
    await showOffer()
    await expect.element(page.getByText('Maximiliane', { exact: false })).toBeVisible()
    expect(document.documentElement.scrollWidth).toBe(320)
    await button('Decline').click()
    await expect.element(reason).toBeVisible()
    expect(document.documentElement.scrollWidth).toBe(320)
    const list = page.getByRole('list').element()
    expect(list.scrollWidth).toBe(list.clientWidth)
  } finally {
    await page.viewport(390, 844)
  }
})
