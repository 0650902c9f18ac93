import { expect, test } from 'vitest'
import { annex, building, burning, campus, library, quarter, towerA, towerB } from '#web/testing/event-sites.ts'
import type { EventSite } from '../calls/events.ts'
import {
  buttonLabels,
  isInEvent,
  modeOf,
  nothingSelected,
  noticeOf,
  type Selection,
  selectedBuildings,
  siteOf,
  stillValid,
  toggleBuilding,
  toggleSite,
} from './selected-buildings.ts'

const calm = quarter(towerA, towerB, annex)
const ablaze = quarter(burning(towerA), burning(towerB), annex)
const labelOf = (site: EventSite, ...selection: Selection) => buttonLabels[modeOf(site, selection)]

test("EVENT-26 the button reads 'End event' when all event buildings are selected", () => {
  expect(labelOf(ablaze, towerA.id, towerB.id)).toBe('End event')
})
test("EVENT-26 an event building out of the manager's reach keeps the event from ending", () => {
  const shared = quarter(burning(towerA), { ...burning(towerB), manageable: false })
  expect(labelOf(shared, towerA.id)).toBe('Remove building(s)')
})
test("EVENT-27 the button reads 'Remove building(s)' when some event buildings are selected", () => {
  expect(labelOf(ablaze, towerB.id)).toBe('Remove building(s)')
})
test("EVENT-28 the button reads 'Add building(s)' when others are selected while an event runs", () => {
  expect(labelOf(ablaze, annex.id)).toBe('Add building(s)')
})
test("EVENT-29 the button reads 'Start Event' in every other case", () => {
  expect(labelOf(calm, towerA.id)).toBe('Start Event')
  expect(labelOf(calm)).toBe('Start Event')
  expect(labelOf(ablaze)).toBe('Start Event')
})

test.for([
  ['EVENT-17', calm, [], 'Select building(s) and enter details for the new emergency event.'],
  ['EVENT-17', calm, [towerA.id], 'Select building(s) and enter details for the new emergency event.'],
  ['EVENT-16', ablaze, [], 'Conclude the current event or add/remove selected building(s) from the current event.'],
  ['EVENT-18', ablaze, [annex.id], 'Add selected building(s) to the current event.'],
  ['EVENT-19', ablaze, [towerA.id], 'Conclude the current event at selected building(s).'],
  ['EVENT-19', ablaze, [towerA.id, towerB.id], 'Conclude the current event at selected building(s).'],
] as [string, EventSite, Selection, string][])('%s notice for what is selected', ([, site, selection, notice]) => {
  expect(noticeOf(site, selection)).toBe(notice)
})

test('EVENT-33 without an event the site toggle selects all, then none', () => {
  const all = toggleSite(calm, nothingSelected)
  expect(all).toEqual([towerA.id, towerB.id, annex.id])
  expect(toggleSite(calm, all)).toEqual([])
  expect(toggleSite(calm, [towerB.id])).toEqual(all)
})
test('EVENT-34 with an event the site toggle selects the event buildings, then the others, then none', () => {
  const first = toggleSite(ablaze, nothingSelected)
  const second = toggleSite(ablaze, first)
  expect([first, second, toggleSite(ablaze, second)]).toEqual([[towerA.id, towerB.id], [annex.id], []])
})
test('EVENT-34 where every building is in the event, the site toggle selects them and clears them', () => {
  const whole = quarter(burning(towerA), burning(towerB))
  expect(toggleSite(whole, nothingSelected)).toEqual([towerA.id, towerB.id])
  expect(toggleSite(whole, [towerA.id, towerB.id])).toEqual([])
})

test('EVENT-32 a building of another site takes the place of what was ticked', () => {
  expect(toggleBuilding(campus(library), [towerA.id, towerB.id], library.id)).toEqual([library.id])
})
test('EVENT-32 ticking twice unticks', () => {
  expect(toggleBuilding(calm, [towerA.id, towerB.id], towerA.id)).toEqual([towerB.id])
})

/** Every selection that pressing can lead to, at two sites of every mixture of buildings. */
function reachable(sites: EventSite[]): Selection[] {
  const seen = new Map<string, Selection>([['', nothingSelected]])
  for (const selection of seen.values()) {
    const next = sites.flatMap((site) => [
      toggleSite(site, selection),
      ...site.buildings.map(({ id }) => toggleBuilding(site, selection, id)),
    ])
    for (const one of next) seen.set([...one].sort().join(), one)
  }
  return [...seen.values()]
}
const kinds = [
  building(7, 'Calm'),
  burning(building(7, 'Burning')),
  { ...burning(building(7, 'Far')), manageable: false },
]
const mixtures = kinds.flatMap((a) =>
  kinds.flatMap((b) =>
    kinds.map((c) => quarter({ ...a, id: towerA.id }, { ...b, id: towerB.id }, { ...c, id: annex.id })),
  ),
)
test.for(mixtures.map((site) => [site.buildings.map(({ name }) => name).join(' '), site] as const))(
  'EVENT-32 EVENT-34 AMB-090 no press mixes sites or kinds, or takes what is out of reach: %s',
  ([, site]) => {
    const sites = [site, campus(library)]
    for (const selection of reachable(sites)) {
      const selected = selectedBuildings(siteOf(sites, selection), selection)
      expect(selected).toHaveLength(selection.length)
      expect(new Set(selected.map(isInEvent)).size).toBeLessThan(2)
      expect(selected.every(({ manageable }) => manageable)).toBe(true)
    }
  },
)
test('AMB-090 every building within reach can be selected', () => {
  const sites = [ablaze, campus(library)]
  const found = new Set(reachable(sites).flat())
  expect(found).toEqual(new Set([towerA.id, towerB.id, annex.id, library.id]))
})

test('AMB-090 a selection that someone else has made impossible is given up, not sent', () => {
  expect(stillValid([quarter(burning(towerA), towerB)], [towerA.id, towerB.id], false)).toEqual([])
  expect(stillValid([quarter(towerA)], [towerA.id, towerB.id], false)).toEqual([towerA.id])
  const kept = [towerA.id]
  expect(stillValid([calm], kept, false)).toBe(kept)
})
test('AMB-090 what was ticked to start an event is not kept to end it, nor the other way round', () => {
  expect(stillValid([quarter(burning(towerA), towerB)], [towerA.id], false)).toEqual([])
  expect(stillValid([calm], [towerA.id, towerB.id], true)).toEqual([])
  expect(stillValid([ablaze], [towerA.id], true)).toEqual([towerA.id])
})
