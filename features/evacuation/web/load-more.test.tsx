import { expect, test } from 'vitest'
import { page } from 'vitest/browser'
import type { CallReply } from '#kernel/route.ts'
import { nextPageOf } from '#web/reads/people-pages.ts'
import { expectNoAxeViolations } from '#web/testing/axe.ts'
import { cutOff } from '#web/testing/fake-server.ts'
import { floorData, occupant, occupants } from '#web/testing/floor-data.ts'
import { listOccupants } from '../calls/evacuation.ts'
import { floorOnScreen } from './floor.fixture.tsx'

const { server, open } = floorOnScreen()
const list = () => page.getByRole('list', { name: 'All Occupants' })
const names = () => [...list().element().querySelectorAll('h3')].map(({ textContent }) => textContent)
const end = () => page.getByText('You have reached the end.')
/** So that the bottom of the window is this far above the bottom of the page. */
const scrollTo = (fromBottom: number) =>
  window.scrollTo(0, document.documentElement.scrollHeight - window.innerHeight - fromBottom)
const frames = async (count: number) => {
  for (let n = 0; n < count; n++) await new Promise(requestAnimationFrame)
}

test('FLOOR-06 FLOOR-07 FLOOR-45 CONST-10 more people come within 150 px of the page bottom, until the end', async () => {
  await open(occupants(45))
  expect(names()).toHaveLength(20)
  expect(page.getByText('You have reached the end.').elements()).toEqual([])

  // Cards beside the window take their real height once they have been near it.
  for (let at = 0; at < 12; at++) {
    scrollTo(400)
    await frames(2)
  }
  scrollTo(160)
  await frames(4)
  expect(names()).toHaveLength(20)

  scrollTo(140)
  await expect.poll(() => names().length).toBe(40)
  await expect
    .poll(() => {
      scrollTo(0)
      return names().length
    })
    .toBe(45)
  await expect.element(end()).toBeVisible()
  expect(new Set(names()).size).toBe(45)
  expect(server.received(listOccupants).map(({ input }) => input.query.page)).toEqual(
    expect.arrayContaining(['2', '3']),
  )
})

test("FLOOR-08 'Loading...' stands at the end while more people are fetched", async () => {
  await open(occupants(30))
  const answer = Promise.withResolvers<CallReply<typeof listOccupants>>()
  server.answer(listOccupants, () => answer.promise)

  await expect
    .poll(() => {
      scrollTo(0)
      return page.getByText('Loading...').elements().length
    })
    .toBe(1)
  answer.resolve({ ...floorData([occupant(30)]) })

  await expect.element(end()).toBeVisible()
  await expect.element(page.getByText('Loading...')).not.toBeInTheDocument()
})

test('FLOOR-08 when more people cannot be fetched the list says so and can be tried again', async () => {
  await open(occupants(30))
  server.answer(listOccupants, cutOff)
  const again = page.getByRole('button', { name: 'Try again' })
  await expect
    .poll(() => {
      scrollTo(0)
      return again.elements().length
    })
    .toBe(1)
  await expectNoAxeViolations()

  server.answer(listOccupants, { ...floorData([occupant(30)]) })
  await again.click()

  await expect.element(end()).toBeVisible()
})

test('AMB-108 a next page is followed only at our own address', () => {
  expect(nextPageOf(null, listOccupants.path)).toBeNull()
  expect(nextPageOf('/api/floor/evacuation/persons?page=2&after=x', listOccupants.path)).toEqual({
    page: '2',
    after: 'x',
  })
  expect(nextPageOf('https://elsewhere.test/api/floor/evacuation/persons?page=2', listOccupants.path)).toBeNull()
  expect(nextPageOf('/api/user?page=2', listOccupants.path)).toBeNull()
})
