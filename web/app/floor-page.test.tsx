import { expect, onTestFinished, test } from 'vitest'
import { page } from 'vitest/browser'
import { brief } from '#features/command/web/command.fixture.ts'
import { getBrief } from '#features/events/calls/brief.ts'
import { occupants, peepPerson, serveFloor } from '../testing/floor-data.ts'
import { plainScreens, renderApp } from '../testing/render-app.tsx'
import { screens } from './screens.ts'

const path = '/floor/evacuation'
const openFloor = () =>
  renderApp(path, {
    auth: { event_kind: 'live' },
    screens: { ...plainScreens(), [path]: screens[path] },
    given(server) {
      serveFloor(server, occupants(20), { peep: [peepPerson(1)] })
      server.answer(getBrief, brief())
    },
  })

test('UX-30 with an event running four cards of people are above the fold at 390x844', async () => {
  await page.viewport(390, 844)
  await openFloor()
  const cards = page.getByRole('list', { name: 'All Occupants' }).getByRole('listitem')
  await expect.element(page.getByRole('heading', { name: 'Fire' })).toBeVisible()
  await expect.poll(() => cards.elements().length).toBe(20)
  await expect.element(page.getByText('0 of 20 accounted for')).toBeVisible()
  await expect.element(page.getByText(/Ann Brown/)).toBeVisible()

  const fold = page.getByRole('searchbox', { name: 'Search Occupants' }).element().getBoundingClientRect().top
  for (const card of cards.elements().slice(0, 4)) expect(card.getBoundingClientRect().bottom).toBeLessThan(fold)
})

test.each([360, 390])('UX-30 at %i px building, floor and floor status stand in one row', async (width) => {
  await page.viewport(width, 844)
  onTestFinished(() => page.viewport(390, 844))
  await openFloor()
  const selects = page.getByRole('combobox')
  await expect.poll(() => selects.elements().length).toBe(3)

  const boxes = selects.elements().map((one) => one.getBoundingClientRect())
  expect(new Set(boxes.map(({ top }) => top)).size).toBe(1)
  expect(boxes.every(({ height }) => height >= 48)).toBe(true)
  expect(document.documentElement.scrollWidth).toBe(width)
})
