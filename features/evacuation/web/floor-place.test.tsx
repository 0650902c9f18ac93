import { expect, test, vi } from 'vitest'
import { page } from 'vitest/browser'
import type { CallReply } from '#kernel/route.ts'
import { outbox } from '#web/outbox/outbox.ts'
import { expectNoAxeViolations } from '#web/testing/axe.ts'
import { cutOff } from '#web/testing/fake-server.ts'
import {
  evacuated,
  floorData,
  level4,
  notStarted,
  occupant,
  occupants,
  peepPerson,
  towerB,
} from '#web/testing/floor-data.ts'
import { changeBuilding, changeFloor, getFloorData, listOccupants, setFloorStatus } from '../calls/evacuation.ts'
import { floorOnScreen } from './floor.fixture.tsx'

const { server, open } = floorOnScreen()
const select = (name: string) => page.getByRole('combobox', { name, exact: true })
const optionsOf = (name: string) => [...(select(name).element() as HTMLSelectElement).options].map(({ text }) => text)
const peepHeading = () => page.getByRole('button', { name: /People with Disability on this Floor/ })
/** A floor status that clears the floor is not asked about (UX-41). */
const safe = occupant(1, { status: 'safe' })
const allOccupants = () => page.getByRole('list', { name: 'All Occupants' })

test('FLOOR-28 FLOOR-29 changing the floor status posts at once and shows it without a reload', async () => {
  const answer = Promise.withResolvers<CallReply<typeof setFloorStatus>>()
  server.answer(setFloorStatus, () => answer.promise)
  await open([safe])
  const reads = server.received(getFloorData).length

  await select('Floor status').selectOptions('Evacuated')
  await expect
    .poll(() => server.received(setFloorStatus).map(({ input }) => input.body))
    .toEqual([{ floorId: floorData([]).input.floor, floorStatusId: evacuated.id }])
  answer.resolve({ status: 'success', overruled: false })

  await expect.element(select('Floor status')).toHaveValue(evacuated.id)
  expect(server.received(getFloorData)).toHaveLength(reads)
})

test('FLOOR-29 a floor status does not make the people of the floor look newer than they are', async () => {
  server.answer(setFloorStatus, { status: 'success', overruled: false })
  await open([safe], { peep: [peepPerson(1)] })
  await peepHeading().click()
  const readAt = () => document.querySelector('time')?.dateTime
  const before = readAt()

  await select('Floor status').selectOptions('Evacuated')
  await expect.poll(() => outbox.records.get().length + server.received(setFloorStatus).length).toBe(1)

  await expect.element(select('Floor status')).toHaveValue(evacuated.id)
  expect(readAt()).toBe(before)
})

test("FLOOR-30 changing the floor brings that floor's people with a plan, its status and its occupants", async () => {
  await open(occupants(2))
  const changed = { peep: [peepPerson(7)], refusal_to_evacuate: 3 }
  const { input } = floorData([])
  server.answer(changeFloor, { ...changed, status: evacuated.id })
  // what changed on the new floor meanwhile is read right after
  const placed = { ...input, floor: level4, status: evacuated.id }
  server.answer(getFloorData, floorData([occupant(7)], { ...changed, input: placed }))
  server.answer(listOccupants, { ...floorData([occupant(7)]) })

  await select('Floor').selectOptions('Level 4')

  await expect.element(allOccupants().getByText('Person 07')).toBeVisible()
  await expect.element(allOccupants().getByText('Person 01')).not.toBeInTheDocument()
  expect(server.received(changeFloor).map(({ input }) => input.body)).toEqual([{ floor: level4 }])
  expect(server.received(listOccupants).at(-1)?.input.query).toEqual({ floor: level4, order: 'attention' })
  await expect.element(select('Floor status')).toHaveValue(evacuated.id)
  await expect.element(page.getByText('Refusal to evacuate: 3')).toBeVisible()
  await expect.element(peepHeading()).toHaveTextContent('People with Disability on this Floor1')
})

test('FLOOR-30 while another floor is being opened no one on the old one is shown', async () => {
  await open(occupants(2))
  const answer = Promise.withResolvers<CallReply<typeof changeFloor>>()
  server.answer(changeFloor, () => answer.promise)

  await select('Floor').selectOptions('Level 4')

  await expect.element(page.getByText('Person 01')).not.toBeInTheDocument()
  await expect.element(select('Floor')).toHaveValue(level4)
  await expectNoAxeViolations()
  answer.resolve({ peep: [], status: evacuated.id, refusal_to_evacuate: 0 })
  await expect.element(page.getByText('Person 01')).toBeVisible()
})

test('FLOOR-30 a floor that could not be opened goes back to the old one, with its people', async () => {
  server.answer(changeFloor, cutOff)
  const screen = await open(occupants(2))

  await select('Floor').selectOptions('Level 4')

  await expect.element(page.getByText(/The floor was not changed\./)).toBeVisible()
  await expect.element(select('Floor')).not.toHaveValue(level4)
  await expect.element(screen.getByText('Person 01')).toBeVisible()
})

test('FLOOR-31 changing the building brings its whole data set', async () => {
  await open(occupants(2))
  const inB = { ...towerB, buildingId: towerB.id }
  const moved = floorData([occupant(9)], {
    floors: [{ id: level4, name: 'Ground', status: notStarted.id, building: inB }],
    input: { building: towerB.id, floor: level4, status: notStarted.id },
  })
  server.answer(changeBuilding, moved)
  // what changed there meanwhile is read right after
  server.answer(getFloorData, moved)
  const lists = server.received(listOccupants).length

  await select('Building').selectOptions('Tower B')

  await expect.element(allOccupants().getByText('Person 09')).toBeVisible()
  expect(server.received(listOccupants)).toHaveLength(lists)
  expect(server.received(changeBuilding).map(({ input }) => input.body)).toEqual([
    { building: towerB.id, order: 'attention', floors: 'building' },
  ])
  await expect.element(select('Building')).toHaveValue(towerB.id)
  expect(optionsOf('Floor').filter(Boolean)).toEqual(['Ground'])
})

test('FLOOR-31 AMB-106 back at a building after an hour, its people are read again', async () => {
  const { change } = await open(occupants(1))
  const dataOfA = floorData(occupants(1))
  const dataOfB = floorData([occupant(9)], { input: { ...dataOfA.input, building: towerB.id } })
  server.answer(changeBuilding, dataOfB)
  server.answer(getFloorData, dataOfB)
  await select('Building').selectOptions('Tower B')
  await expect.element(allOccupants().getByText('Person 09')).toBeVisible()

  const anHourLater = Date.now() + 3_600_000
  vi.spyOn(Date, 'now').mockImplementation(() => anHourLater)
  change(occupant(1).id, { status: 'danger' })
  server.answer(changeBuilding, dataOfA)
  server.answer(getFloorData, dataOfA)
  await select('Building').selectOptions('Tower A')

  await expect.element(page.getByRole('button', { name: 'Person 01: Danger on floor' })).toBeVisible()
})
