import { expect, test } from 'vitest'
import { page } from 'vitest/browser'
import { createTopicRefresh } from '#web/live/topic-refresh.ts'
import { expectNoAxeViolations } from '#web/testing/axe.ts'
import { refused } from '#web/testing/fake-server.ts'
import { floorData, notStarted, occupant, occupants, peepPerson, plan } from '#web/testing/floor-data.ts'
import { renderScreen } from '#web/testing/render-screen.tsx'
import { getFloorData, listOccupants } from '../calls/evacuation.ts'
import { floorOnScreen } from './floor.fixture.tsx'
import { FloorEvacuationScreen } from './floor-evacuation-screen.tsx'

const { server, open, serve } = floorOnScreen()
const select = (name: string) => page.getByRole('combobox', { name, exact: true })
const optionsOf = (name: string) => [...(select(name).element() as HTMLSelectElement).options].map(({ text }) => text)
const peepHeading = () => page.getByRole('button', { name: /People with Disability on this Floor/ })

test('FLOOR-01 FLOOR-09 FLOOR-37 FLOOR-38 building and floor can be chosen, under the warning', async () => {
  await open(occupants(2))

  expect(optionsOf('Building')).toEqual(['Tower A', 'Tower B'])
  expect(optionsOf('Floor').filter(Boolean)).toEqual(['Level 3', 'Level 4'])
  await expect
    .element(page.getByText('Only record the safety status of persons who will remain on this floor.'))
    .toBeVisible()
  await expect.element(page.getByRole('heading', { name: 'Fire' })).toBeVisible()
  await expectNoAxeViolations()
})

test('FLOOR-02 FLOOR-39 the floor status offers what is in use, in its order', async () => {
  await open(occupants(1))

  expect(optionsOf('Floor status').filter(Boolean)).toEqual(['Not Started', 'Evacuating', 'Evacuated'])
  await expect.element(select('Floor status')).toHaveValue(notStarted.id)
})

test('FLOOR-39 a status that is out of use stays offered while the floor has it', async () => {
  const old = floorData([]).floor_status.find(({ label }) => !label.inuse)
  await open(occupants(1), { input: { ...floorData([]).input, status: old?.id ?? null } })

  expect(optionsOf('Floor status')).toContain(old?.name)
})

test.for(['no_event', 'not_on_duty'] as const)(
  "FLOOR-35 PROD-12 the error %s shows 'NO EVENT' and 'No Current Events'",
  async (error) => {
    server.answer(getFloorData, { error, message: 'No event' })
    await renderScreen(<FloorEvacuationScreen />)

    await expect.element(page.getByRole('heading', { name: 'NO EVENT' })).toBeVisible()
    await expect.element(page.getByText('No Current Events')).toBeVisible()
    const reason = page.getByText('You are not on duty in this event. Please report in first.')
    expect(reason.elements()).toHaveLength(error === 'not_on_duty' ? 1 : 0)
    await expectNoAxeViolations()
  },
)

test('UX-83 until the floor is read its skeleton has as many fields, counters and headings, and people where they will be', async () => {
  serve(occupants(5))
  let answer = () => {}
  server.answer(getFloorData, async () => {
    await new Promise<void>((resolve) => {
      answer = resolve
    })
    return floorData(occupants(5))
  })
  await renderScreen(<FloorEvacuationScreen />)
  const parts = (name: string) => [...document.querySelectorAll(`[data-part=${name}]`)]
  await expect.poll(() => parts('person').length).toBe(3)
  const blocks = (name: string) => parts(name).flatMap((part) => [...part.children]).length
  const outlined = { fields: blocks('fields'), counters: blocks('counters'), headings: blocks('headings') }
  const top = parts('person')[0]?.getBoundingClientRect().top ?? 0

  answer()
  await expect.element(select('Building')).toBeVisible()
  const drawn = {
    fields: page.getByRole('combobox').elements().length,
    counters: page.getByRole('group', { name: 'People of this floor' }).getByRole('button').elements().length,
    headings: page.getByRole('heading', { level: 2 }).getByRole('button').elements().length,
  }
  expect(drawn).toEqual(outlined)
  const person = page.getByRole('list', { name: 'All Occupants' }).getByRole('listitem').first().element()
  expect(Math.abs(person.getBoundingClientRect().top - top)).toBeLessThan(60)
  expect(parts('person')).toEqual([])
})

test('UI a floor that cannot be loaded says so and can be tried again', async () => {
  server.answer(getFloorData, refused('unavailable'))
  await renderScreen(<FloorEvacuationScreen />)
  await expect.element(page.getByText('The service is busy. Please try again in a moment.')).toBeVisible()
  await expectNoAxeViolations()

  serve(occupants(1))
  await page.getByRole('button', { name: 'Try again' }).click()

  await expect.element(page.getByText('Person 01')).toBeVisible()
})

test('UI each list says how old it is', async () => {
  await open(occupants(1), { peep: [peepPerson(1)] })
  await peepHeading().click()

  await expect.poll(() => page.getByText(/^as of \d\d:\d\d:\d\d$/).elements().length).toBe(2)
})

test('UI the people who were not read do not look newer when the floor is', async () => {
  await open(occupants(1), { peep: [peepPerson(1)] })
  await peepHeading().click()
  const times = () => [...document.querySelectorAll('time')].map(({ dateTime }) => dateTime)
  const [ofPeople, ofPlans] = times()
  await page.getByRole('button', { name: 'Refresh' }).first().click()

  await expect.poll(() => times()[1]).not.toBe(ofPlans)
  expect(times()[0]).toBe(ofPeople)
})

test('RT-17 what real-time says has changed is read again: people, floor and event', async () => {
  const { change, queryClient } = await open(occupants(1))
  const refresh = createTopicRefresh(queryClient)
  const reads = () => [server.received(getFloorData).length, server.received(listOccupants).length] as const

  change(occupant(1).id, { status: 'danger' })
  refresh.note([{ topic: 'evacuee', ids: [] }])
  await expect.element(page.getByRole('button', { name: 'Person 01: Danger on floor' })).toBeVisible()

  for (const topic of ['floor', 'event', 'event'] as const) {
    const [before] = reads()
    refresh.note([{ topic, ids: [] }])
    await expect.poll(() => reads()[0]).toBe(before + 1)
  }
  refresh.stop()
})

test('RT-17 a slow read of the people is let finish while messages keep coming', async () => {
  const { queryClient } = await open(occupants(1))
  const refresh = createTopicRefresh(queryClient)
  server.answer(listOccupants, async () => {
    await new Promise((resolve) => setTimeout(resolve, 900))
    return floorData([occupant(1, { status: 'danger' })])
  })
  const messages = setInterval(() => refresh.note([{ topic: 'message', ids: [] }]), 100)

  await expect
    .element(page.getByRole('button', { name: 'Person 01: Danger on floor' }), { timeout: 4000 })
    .toBeVisible()
  clearInterval(messages)
  refresh.stop()
})

test('UI the plans of people are kept in memory only', async () => {
  const { withoutPlansOfFloor, withoutPlans, occupantsQuery, floorDataQuery, startList } = await import(
    './floor-evacuation.data.ts'
  )
  const person = { ...occupant(1), special: [{ name: 'assist' as const, state: true, detail: plan.other, peep: plan }] }
  const data = floorData([person], { peep: [{ ...peepPerson(1), name: 'Person 01' }] })
  const kept = JSON.stringify([
    withoutPlansOfFloor(data),
    withoutPlans({
      pages: [{ persons: data.persons, pagination: data.pagination, counts: data.counts }],
      pageParams: [null],
    }),
  ])

  for (const text of Object.values(plan)) expect(kept).not.toContain(text)
  expect(kept).toContain('assist')
  expect(floorDataQuery.meta?.redact).toBe(withoutPlansOfFloor)
  expect(occupantsQuery(data.input, '').meta?.redact).toBe(withoutPlans)
  // the list came with the floor; a phone may store it before a page shows it
  const { QueryClient } = await import('@tanstack/react-query')
  const client = new QueryClient()
  startList(client, data)
  const list = client.getQueryCache().find({ queryKey: occupantsQuery(data.input, '').queryKey })
  expect(list?.state.data).toBeDefined()
  expect(list?.meta?.redact).toBe(withoutPlans)
})
