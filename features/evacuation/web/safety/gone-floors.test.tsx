import { expect, test } from 'vitest'
import { page } from 'vitest/browser'
import { createTopicRefresh } from '#web/live/topic-refresh.ts'
import { occupants } from '#web/testing/floor-data.ts'
import { floorId, siteBuildings } from '#web/testing/safety-data.ts'
import { filterButton, safetyOnScreen } from './safety.fixture.tsx'

const { open, serve, asked } = safetyOnScreen()

test('EVENT-61 a chosen building that leaves the event is no longer asked for', async () => {
  const { queryClient } = await open()
  await filterButton('Areas').click()
  await page.getByRole('button', { name: 'Floors of Tower A' }).click()
  await page.getByRole('checkbox', { name: 'Level 1' }).click()
  await page.getByRole('checkbox', { name: 'Tower B' }).click()
  await expect.poll(() => asked().at(-1)?.floors).toEqual([floorId(1), floorId(3)])

  serve(occupants(2), { buildings: siteBuildings.slice(0, 1) })
  const refresh = createTopicRefresh(queryClient)
  refresh.note([{ topic: 'event', ids: [] }])

  await expect.poll(() => asked().at(-1)?.floors).toEqual([floorId(1)])
  await expect.element(page.getByRole('heading', { name: '1 floor' })).toBeVisible()
  refresh.stop()
})
