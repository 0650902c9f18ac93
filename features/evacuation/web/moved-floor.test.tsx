import { expect, test } from 'vitest'
import { page } from 'vitest/browser'
import { createTopicRefresh } from '#web/live/topic-refresh.ts'
import { cutOff } from '#web/testing/fake-server.ts'
import { floorData, level3, level4, notStarted, occupant, occupants } from '#web/testing/floor-data.ts'
import { changeFloor, getFloorData } from '../calls/evacuation.ts'
import { floorOnScreen, sheet, statusButton } from './floor.fixture.tsx'

const { server, open } = floorOnScreen()
const select = () => page.getByRole('combobox', { name: 'Floor', exact: true })
const onLevel4 = () =>
  floorData([occupant(7)], { input: { ...floorData([]).input, floor: level4, status: notStarted.id } })

test('AMB-107 FLOOR-17 another floor that comes unasked closes the sheet: no one is recorded on a floor they were not seen on', async () => {
  const { queryClient } = await open(occupants(2))
  await statusButton(1).click()
  await expect.element(sheet()).toBeVisible()

  server.answer(getFloorData, onLevel4())
  const refresh = createTopicRefresh(queryClient)
  refresh.note([{ topic: 'floor', ids: [] }])

  await expect.element(select()).toHaveValue(level4)
  await expect.element(sheet()).not.toBeInTheDocument()
  refresh.stop()
})

test('AMB-107 another tab chooses a floor: this one asks for the floor it shows, and stays', async () => {
  const { queryClient } = await open(occupants(2))
  // The other tab's choice is what the session remembers.
  server.answer(getFloorData, ({ input: { query } }) =>
    query?.floor === level3 ? floorData(occupants(2), { refusal_to_evacuate: 5 }) : onLevel4(),
  )
  const refresh = createTopicRefresh(queryClient)
  refresh.note([{ topic: 'floor', ids: [] }])

  await expect.element(page.getByText('Refusal to evacuate: 5')).toBeVisible()
  await expect.element(select()).toHaveValue(level3)
  refresh.stop()
})

test('FLOOR-30 AMB-107 a choice whose answer was lost is not made: the floor stays, whatever the session remembers', async () => {
  await open(occupants(2))
  server.answer(changeFloor, cutOff)
  server.answer(getFloorData, ({ input: { query } }) =>
    query?.floor === level3 ? floorData(occupants(2)) : onLevel4(),
  )

  await select().selectOptions('Level 4')

  await expect.element(page.getByText(/The floor was not changed/)).toBeVisible()
  await expect
    .poll(() => server.received(getFloorData).at(-1)?.input.query)
    .toEqual({ floor: level3, order: 'attention', floors: 'building' })
  await expect.element(select()).toHaveValue(level3)
})
