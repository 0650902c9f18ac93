import { expect, test, vi } from 'vitest'
import { page } from 'vitest/browser'
import { occupants } from '#web/testing/floor-data.ts'
import { floorOnScreen } from './floor.fixture.tsx'

vi.mock(import('#web/evacuees/row-window.tsx'), () => {
  throw new Error('no signal')
})

const { open } = floorOnScreen()

test('FLOOR-05 UI where the part for long lists cannot be fetched, everyone is on the list all the same', async () => {
  const people = occupants(150)
  const pagination = { next_page_url: null, total: 150, from: 1, current_page: 1, total_pages: 1 }
  await open(people, { persons: people, pagination })

  const list = page.getByRole('list', { name: 'All Occupants' })
  await expect.poll(() => list.element().childElementCount).toBe(150)
})
