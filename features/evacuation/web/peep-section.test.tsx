import { beforeEach, expect, test, vi } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { expectNoAxeViolations } from '#web/testing/axe.ts'
import { serverForEachTest } from '#web/testing/fake-server.ts'
import { occupant, occupants, peepPerson, plan, serveFloor, withPeep } from '#web/testing/floor-data.ts'
import { emptyOutbox } from '#web/testing/outbox.ts'
import { renderScreen } from '#web/testing/render-screen.tsx'
import { getFloorData } from '../calls/evacuation.ts'
import { FloorEvacuationScreen } from './floor-evacuation-screen.tsx'

const server = serverForEachTest()
beforeEach(emptyOutbox)

const title = 'People with Disability on this Floor'
const heading = () => page.getByRole('button', { name: new RegExp(title) })
const list = () => page.getByRole('list', { name: title })
const search = () => page.getByRole('searchbox', { name: 'Search PEEPS' })

async function open(count: number) {
  const peep = Array.from({ length: count }, (_, at) => peepPerson(at + 1))
  serveFloor(server, occupants(1), { peep })
  await renderScreen(<FloorEvacuationScreen />)
  await heading().click()
}

test('FLOOR-03 the list opens and closes, and counts', async () => {
  await open(5)
  await expect.element(heading()).toHaveTextContent(`${title}5`)
  await expect.element(heading()).toHaveAttribute('aria-expanded', 'true')
  await expect.element(list().getByText('Person 01')).toBeVisible()
  await expectNoAxeViolations()

  await heading().click()
  await expect.element(list()).not.toBeInTheDocument()
})

test('FLOOR-47 the list is 207 px high when there are entries', async () => {
  await open(1)
  await expect.poll(() => list().element().getBoundingClientRect().height).toBe(207)
})

test("FLOOR-11 a floor without PEEPs says 'No PEEPs on this floor'", async () => {
  await open(0)
  await expect.element(page.getByText('No PEEPs on this floor')).toBeVisible()
  await expectNoAxeViolations()
})

test('FLOOR-04 FLOOR-33 FLOOR-34 the search filters from the first character; emptied it shows all again', async () => {
  await open(12)
  await search().fill('2')
  await expect.poll(() => list().getByRole('listitem').elements().length).toBe(2)

  await search().fill('')
  await expect.poll(() => list().getByRole('listitem').elements().length).toBe(12)
})

test("FLOOR-10 'No PEEPs Found...' stands only after three characters", async () => {
  await open(2)
  const noneFound = page.getByText('No PEEPs Found...')
  await search().fill('zz')
  await expect.element(list()).not.toBeInTheDocument()
  await expect.element(noneFound).not.toBeInTheDocument()

  await search().fill('zzz')
  await expect.element(noneFound).toBeVisible()
})

test('FLOOR-04 FLOOR-36 refresh reads the list again and turns for one second', async () => {
  await open(1)
  const reads = server.received(getFloorData).length
  const timers = vi.spyOn(window, 'setTimeout')
  const button = page.getByRole('button', { name: 'Refresh' }).first()

  await button.click()

  await expect.element(button).toHaveAttribute('aria-busy', 'true')
  expect(timers.mock.calls.map(([, delay]) => delay)).toContain(1000)
  expect(server.received(getFloorData)).toHaveLength(reads + 1)
})

test('FLOOR-14 FLOOR-18 FLOOR-44 the plan of a person is one tap away, under its three headings', async () => {
  await open(1)
  await list().getByRole('button', { name: 'PEEP of Person 01' }).click()

  const popup = page.getByRole('dialog', { name: 'Person 01' })
  const parts = {
    'Disability or Mobility Impairment': plan.disability,
    'Assistance Needed': plan.assistance,
    'Other Details': plan.other,
  }
  for (const [name, text] of Object.entries(parts)) {
    await expect.element(popup.getByRole('heading', { name })).toBeVisible()
    await expect.element(popup.getByText(text)).toBeVisible()
  }
  await expectNoAxeViolations()
  await userEvent.keyboard('{Escape}')
  await expect.element(popup).not.toBeInTheDocument()
})

test('FLOOR-14 FLOOR-16 FLOOR-42 among all occupants only those with a plan have the popup', async () => {
  serveFloor(server, [withPeep(occupant(1)), occupant(2)])
  await renderScreen(<FloorEvacuationScreen />)
  await page.getByRole('button', { name: 'PEEP of Person 01' }).click()

  await expect.element(page.getByRole('dialog').getByText(plan.assistance)).toBeVisible()
  await expect.element(page.getByRole('button', { name: 'PEEP of Person 02' })).not.toBeInTheDocument()
})
