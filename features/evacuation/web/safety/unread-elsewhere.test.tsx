import { expect, test } from 'vitest'
import { page } from 'vitest/browser'
import { expectNoAxeViolations } from '#web/testing/axe.ts'
import { occupants } from '#web/testing/floor-data.ts'
import { floorId } from '#web/testing/safety-data.ts'
import { listAreaFloors } from '../../calls/safety.ts'
import { filterButton, safetyOnScreen, shows } from './safety.fixture.tsx'

const { server, open, asked } = safetyOnScreen()
const unread = { at: '/evacuee/safety?message=unread' }
const everyFloor = () => page.getByRole('button', { name: 'Show unread from every floor' })

test('MENU-17 AMB-128 the banner also tells of someone on another floor: who wrote there finds them a tap further', async () => {
  await open([], {}, unread)
  await expect.element(page.getByText('No Evacuees found with the selected filters')).toBeVisible()
  await expectNoAxeViolations()
  await everyFloor().click()

  await expect.poll(() => asked().at(-1)).toMatchObject({ area: 'everyone', floors: ['all'], message: 'unread' })
  await expect.element(everyFloor()).not.toBeInTheDocument()
})

test('AMB-128 that stands below those of the own floor, too, and at no other filter', async () => {
  await open(occupants(1), {}, unread)
  await shows(1, 'Unknown')
  await expect.element(everyFloor()).toBeVisible()

  await filterButton('Messages: unread').click()
  await expect.element(filterButton('Messages: no reply')).toBeVisible()
  await expect.element(everyFloor()).not.toBeInTheDocument()
})

test('AMB-128 whose own area is the whole site has nowhere else to look', async () => {
  await open(occupants(1), { own: [floorId(1), floorId(2), floorId(3)] }, unread)
  await shows(1, 'Unknown')
  await expect.poll(() => server.received(listAreaFloors)).toHaveLength(1)
  await expect.element(everyFloor()).not.toBeInTheDocument()
})
