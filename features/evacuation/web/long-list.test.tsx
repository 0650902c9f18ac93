import { expect, onTestFinished, test } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { createTopicRefresh } from '#web/live/topic-refresh.ts'
import { expectNoAxeViolations } from '#web/testing/axe.ts'
import { floorData, occupant, occupants } from '#web/testing/floor-data.ts'
import { listOccupants } from '../calls/evacuation.ts'
import { floorOnScreen, sheet } from './floor.fixture.tsx'

const { server, open } = floorOnScreen()
const many = 10_000

/** All of a floor's people are read already. */
async function openWhole(people = occupants(many)) {
  const pagination = { next_page_url: null, total: people.length, from: 1, current_page: 1, total_pages: 1 }
  const screen = await open(people, { persons: people, pagination })
  server.answer(listOccupants, () => ({ ...floorData([], { persons: people, pagination }) }))
  await expect.poll(() => rows().length).toBeLessThan(60)
  return screen
}

const list = () => page.getByRole('list', { name: 'All Occupants' })
const rows = () => [...list().element().children] as HTMLElement[]
const numbers = () => rows().map((row) => Number(row.getAttribute('aria-posinset')))
const inView = () =>
  rows().filter((row) => {
    const { top, bottom } = row.getBoundingClientRect()
    return bottom > 0 && top < window.innerHeight
  })
const button = (n: number) => page.getByRole('button', { name: new RegExp(`^Person ${String(n).padStart(2, '0')}: `) })
const place = (row: Element) => {
  const { top, bottom, left } = row.getBoundingClientRect()
  return { top, bottom, left }
}
const frames = async (count: number) => {
  for (let n = 0; n < count; n++) await new Promise(requestAnimationFrame)
}
async function scrollTo(y: number) {
  window.scrollTo(0, y)
  await frames(3)
}

test('FLOOR-05 UI of ten thousand people only those near the screen are drawn, and each says which it is of how many', async () => {
  await openWhole()
  // where no card is cut off by a bar: axe takes a button that is half covered for too small
  await scrollTo(16)
  await expectNoAxeViolations()
  await scrollTo(document.documentElement.scrollHeight / 2)

  expect(rows().length).toBeLessThan(40)
  expect(numbers()).toEqual(numbers().toSorted((a, b) => a - b))
  expect(inView().length).toBeGreaterThan(1)
  expect(rows()[0]).toHaveAttribute('aria-setsize', String(many))
  expect(list().element()).toHaveAttribute('role', 'list')
})

test('FLOOR-05 FLOOR-07 UI rows stand one below the other without gap or overlap, down to the end', async () => {
  await openWhole(
    occupants(many).map((person, at) =>
      at % 3
        ? person
        : { ...person, name: `${person.name} of a name that takes two lines or even three`, reported: true },
    ),
  )
  for (const part of [0.2, 0.7, 0.4]) {
    await scrollTo(document.documentElement.scrollHeight * part)
    const edges = inView().map((row) => row.getBoundingClientRect())
    for (const [at, { top }] of edges.entries())
      if (at > 0) expect(Math.abs(top - (edges[at - 1]?.bottom ?? 0))).toBeLessThan(1)
    expect(edges[0]?.top).toBeLessThanOrEqual(0)
    expect(edges.at(-1)?.bottom).toBeGreaterThanOrEqual(window.innerHeight)
  }

  await expect
    .poll(async () => {
      await scrollTo(document.documentElement.scrollHeight)
      return numbers().at(-1)
    })
    .toBe(many)
  await expect.element(page.getByText('You have reached the end.')).toBeInViewport()
})

/** Status, message and phone. */
const stopsOfCard = 3

test('UI Tab walks on through a long list, and back', async () => {
  await openWhole()
  ;(button(1).element() as HTMLElement).focus()
  const focused = () => Number(document.activeElement?.closest('li')?.getAttribute('aria-posinset'))

  for (let n = 0; n < 30 * stopsOfCard; n++) await userEvent.keyboard('{Tab}')
  expect(focused()).toBe(31)
  await frames(2)
  expect(inView()).toContain(document.activeElement?.closest('li'))

  for (let n = 0; n < 10 * stopsOfCard; n++) await userEvent.keyboard('{Shift>}{Tab}{/Shift}')
  expect(focused()).toBe(21)
})

test('UI a focused person keeps the focus however far the page is scrolled, and Tab goes on from there', async () => {
  await openWhole()
  const second = button(2).element() as HTMLElement
  second.focus()

  await scrollTo(document.documentElement.scrollHeight / 2)
  expect(document.activeElement).toBe(second)
  expect(inView()).not.toContain(second.closest('li'))
  await userEvent.keyboard('{Tab}'.repeat(stopsOfCard))

  expect(document.activeElement?.closest('li')).toHaveAttribute('aria-posinset', '3')
  await frames(2)
  expect(inView()).toContain(document.activeElement?.closest('li'))
})

test('FLOOR-21 UI a person in the middle is marked in two taps, the focus comes back, and the list stays where it is', async () => {
  await openWhole()
  await scrollTo(document.documentElement.scrollHeight / 2)
  const row = inView()[2] as HTMLElement
  const name = row.querySelector('h3')?.textContent
  const before = row.getBoundingClientRect().top

  await page.getByRole('button', { name: new RegExp(`^${name}: `) }).click()
  await sheet().getByRole('button', { name: 'Safe on floor' }).click()

  await expect.element(page.getByRole('button', { name: `${name}: Safe on floor` })).toHaveFocus()
  await expect.element(page.getByRole('button', { name: 'Undo' })).toBeVisible()
  expect(row.isConnected).toBe(true)
  expect(row.getBoundingClientRect().top).toBeCloseTo(before, 0)
})

test('RT-17 UI a change elsewhere is read without moving the list', async () => {
  const people = occupants(many)
  const { queryClient } = await openWhole(people)
  await scrollTo(document.documentElement.scrollHeight / 2)
  const row = inView()[1] as HTMLElement
  const before = row.getBoundingClientRect().top
  const at = Number(row.getAttribute('aria-posinset'))
  people[at - 1] = occupant(at, { status: 'danger' })
  const refresh = createTopicRefresh(queryClient)

  refresh.note([{ topic: 'evacuee', ids: [] }])

  await expect.poll(() => row.querySelector('[data-status]')?.getAttribute('data-status')).toBe('danger')
  expect(row.getBoundingClientRect().top).toBeCloseTo(before, 0)
  refresh.stop()
})

test('UI what opens above a long list does not move it', async () => {
  await openWhole()
  await scrollTo(document.documentElement.scrollHeight / 3)
  const row = inView()[1] as HTMLElement
  const before = row.getBoundingClientRect().top

  const above = page.getByRole('button', { name: /People with Disability on this Floor/ }).element()
  above.dispatchEvent(new MouseEvent('click', { bubbles: true }))
  await expect.element(page.getByText('No PEEPs on this floor')).toBeInTheDocument()

  // on a busy machine it is put back some frames later
  await expect.poll(() => row.getBoundingClientRect().top).toBeCloseTo(before, 0)
  await frames(2)
  expect(row.getBoundingClientRect().top).toBeCloseTo(before, 0)
})

test('UI a list that grows long while someone is focused keeps card, focus and place', async () => {
  const { queryClient } = await open(occupants(60))
  await expect
    .poll(async () => {
      await scrollTo(document.documentElement.scrollHeight)
      return rows().length
    })
    .toBe(60)
  const card = button(58).element() as HTMLElement
  card.focus()
  await frames(2)
  const before = card.getBoundingClientRect().top
  const people = occupants(90)
  server.answer(listOccupants, () => floorData([], { persons: people }))

  await queryClient.invalidateQueries()
  await expect.poll(() => list().element().style.height).not.toBe('')
  await frames(4)

  expect(document.activeElement).toBe(card)
  expect(Math.abs(card.getBoundingClientRect().top - before)).toBeLessThan(2)
})

test('UX-60 at a desk a long list has the columns of a short one, in reading order, and each row is a row', async () => {
  await page.viewport(1440, 900)
  onTestFinished(() => page.viewport(390, 844))
  await openWhole(
    occupants(many).map((person, at) =>
      at % 5 ? person : { ...person, name: `${person.name} ${'long name '.repeat(20)}` },
    ),
  )
  for (const part of [0.3, 0.8, 0.5]) {
    await scrollTo(document.documentElement.scrollHeight * part)
    const edges = inView().map((row) => ({ at: Number(row.getAttribute('aria-posinset')), ...place(row) }))
    const columns = new Set(edges.map(({ left }) => left))
    expect(columns.size).toBe(3)
    expect(numbers()).toEqual(numbers().toSorted((a, b) => a - b))
    for (const [nth, { at, top, left }] of edges.entries()) {
      expect(left).toBe([...columns].toSorted((a, b) => a - b)[(at - 1) % 3])
      const before = edges[nth - 1]
      if (!before) continue
      if (at % 3 === 1) expect(Math.abs(top - before.bottom)).toBeLessThan(1)
      else expect(top).toBe(before.top)
    }
    expect(edges[0]?.top).toBeLessThanOrEqual(0)
    expect(edges.at(-1)?.bottom).toBeGreaterThanOrEqual(window.innerHeight)
  }
})

test('UX-60 when the width changes, the columns do, and who was seen first and who had the focus stay', async () => {
  await page.viewport(1440, 900)
  onTestFinished(() => page.viewport(390, 844))
  await openWhole()
  const second = button(2).element() as HTMLElement
  second.focus()
  await scrollTo(document.documentElement.scrollHeight / 2)
  const columns = () => new Set(inView().map((row) => row.getBoundingClientRect().left)).size
  const seen = numbers()[rows().indexOf(inView()[0] as HTMLElement)] ?? 0
  expect([columns(), document.activeElement]).toEqual([3, second])

  await page.viewport(1000, 900)
  await expect.poll(columns).toBe(2)
  await expect
    .poll(() =>
      inView()
        .map((row) => Number(row.getAttribute('aria-posinset')))
        .slice(0, 6),
    )
    .toContain(seen)
  expect(document.activeElement).toBe(second)
  await userEvent.keyboard('{Tab}'.repeat(stopsOfCard))
  expect(document.activeElement?.closest('li')).toHaveAttribute('aria-posinset', '3')
})

test('RT-17 CONST-10 a long list of many pages is read again where it is looked at, and on when the thumb goes on', async () => {
  const { change, queryClient } = await open(occupants(300))
  await expect
    .poll(async () => {
      await scrollTo(document.documentElement.scrollHeight)
      return numbers().at(-1)
    })
    .toBe(300)
  await expect.poll(() => queryClient.isFetching()).toBe(0)
  await new Promise((resolve) => setTimeout(resolve, 300))
  for (const n of [2, 150, 298]) change(occupant(n).id, { status: 'danger' })
  const before = server.received(listOccupants).length

  await queryClient.invalidateQueries({ queryKey: ['evacuee'] })
  await expect.element(button(298)).toHaveTextContent('Person 298: Danger on floor')
  expect(server.received(listOccupants).length - before).toBeLessThanOrEqual(4)

  await scrollTo(document.documentElement.scrollHeight / 2)
  await expect.element(button(150)).toHaveTextContent('Person 150: Danger on floor')
  expect(server.received(listOccupants).length - before).toBeLessThanOrEqual(9)
})
