import { expect, test } from 'vitest'
import type { FilterSet } from '#features/evacuation/calls/safety.ts'
import type { FloorUid } from '#kernel/ids.ts'
import { defaultFilters } from '#kernel/kinds.ts'
import { audienceWords } from './evacuee-audience.ts'

const building = (name: string, count: number) => ({
  buildingId: name,
  name,
  floors: Array.from({ length: count }, (_, n) => ({ id: `${name} ${n + 1}`, name: `Level ${n + 1}` })),
})
const [a, b] = [building('Tower A', 7), building('Tower B', 3)]
const both = { all: [a, b], own: [a, b] }
const ofFloors = (...floors: string[]): Partial<FilterSet> => ({ area: 'building', floors: floors as FloorUid[] })
const everyFloor = (of: typeof a) => ofFloors(...of.floors.map(({ id }) => id))
const words = (over: Partial<FilterSet>, site: Parameters<typeof audienceWords>[1] = both) =>
  audienceWords({ ...defaultFilters, ...over }, site, (text) => text)
const chips = (over: Partial<FilterSet>, site = both) => words(over, site).chips.map(({ text }) => text)

test('UX-04 the audience of the unknown of one building names the building, its floors, and the building left out', () => {
  expect(words({ ...everyFloor(a), display: 'unknown' })).toEqual({
    chips: [{ text: 'Unknown', status: 'unknown' }, { text: 'Tower A, all 7 floors' }],
    sentence: 'Unknown, in Tower A, all 7 floors. Not Tower B.',
  })
})

test('UX-03 every filter is in the chips and in the sentence', () => {
  const filters: Partial<FilterSet> = {
    ...ofFloors('Tower B 2'),
    display: 'danger',
    assist: true,
    visitor: true,
    refusal: true,
    message: 'no reply',
    search: 'smi',
  }
  expect(chips(filters)).toEqual([
    ...['In Danger', 'Assist', 'Visitors', 'Refuses to evacuate', 'no reply', '“smi”', 'Tower B, Level 2'],
  ])
  expect(words(filters).sentence).toBe(
    'In Danger, who need assistance, visitors, who refuse to evacuate, who have not replied, found by “smi”, in Tower B, Level 2. Not Tower A.',
  )
})

test('UX-03 a few floors are named, more are counted, in each building', () => {
  const floors = ofFloors('Tower A 1', 'Tower A 2', 'Tower A 4', 'Tower A 5', 'Tower B 1', 'Tower B 3')
  expect(chips(floors)).toEqual(['Everyone', 'Tower A, 4 of 7 floors', 'Tower B, Level 1, Level 3'])
  expect(words(floors).sentence).toBe('Everyone, in Tower A, 4 of 7 floors; Tower B, Level 1, Level 3.')
})

test('UX-03 My Area says which floors it is, and what it leaves out', () => {
  const own = [{ ...a, floors: a.floors.slice(2, 3) }]
  expect(chips({}, { all: [a, b], own })).toEqual(['Everyone', 'My Area', 'Tower A, Level 3'])
  expect(words({}, { all: [a, b], own }).sentence).toBe('Everyone, in My Area (Tower A, Level 3). Not Tower B.')
  expect(words({}).sentence).toBe('Everyone, in My Area (Tower A, all 7 floors; Tower B, all 3 floors).')
})

test('UX-03 of many buildings all are counted; those left out are named up to three', () => {
  const many = Array.from({ length: 12 }, (_, n) => building(`Block ${n + 1}`, 2))
  const site = { all: many, own: many }
  expect(words({ area: 'everyone' }, site).sentence).toBe('Everyone, in all 12 buildings.')
  expect(words(ofFloors('Block 1 1', 'Block 1 2'), site).sentence).toBe(
    'Everyone, in Block 1, all 2 floors. Not the 11 other buildings.',
  )
  const nine = many.slice(0, 9).flatMap(({ floors }) => floors.map(({ id }) => id))
  expect(words(ofFloors(...nine), site).sentence).toMatch(/Not Block 10, Block 11, Block 12\.$/)
})

test('UX-03 a building without floors is in every floor and in My Area, and in no choice of floors', () => {
  const yard = building('Yard', 0)
  const site = { all: [a, yard], own: [yard] }
  expect(words({ area: 'everyone' }, site).sentence).toBe('Everyone, in Tower A, all 7 floors; Yard.')
  expect(words({}, site).sentence).toBe('Everyone, in My Area (Yard). Not Tower A.')
  expect(words(everyFloor(a), site).sentence).toBe('Everyone, in Tower A, all 7 floors. Not Yard.')
})

test('UX-03 until the floors are read they are counted', () => {
  const none = { all: undefined, own: undefined }
  expect(words({}, none).sentence).toBe('Everyone, in My Area.')
  expect(words({ area: 'everyone' }, none).sentence).toBe('Everyone, in every floor.')
  expect(words(ofFloors('Tower A 1'), none).sentence).toBe('Everyone, in 1 floor.')
})

test('UX-03 EVENT-61 floors whose building has left the event are no audience', () => {
  expect(words(ofFloors('Gone 1')).sentence).toBe('Everyone, in no floor of this event.')
})
