import { expect, test } from 'vitest'
import { defaultFilters } from '#kernel/kinds.ts'
import { floorId, ownFloor, siteBuildings } from '#web/testing/safety-data.ts'
import {
  type AreaChoice,
  areaWords,
  chooseFloors,
  everyone,
  myArea,
  type Site,
  stillChosen,
  tickedFloors,
  tickOf,
} from './area-choice.ts'

const site: Site = { buildings: siteBuildings, own: new Set([ownFloor]) }
const [one, two, three] = [floorId(1), floorId(2), floorId(3)]
const named = (...floors: AreaChoice['floors']): AreaChoice => ({ area: 'building', floors })

test("SAFE-18 SAFE-22 AMB-120 in My Area, the default, the warden's own floors are ticked", () => {
  expect(myArea).toEqual({ area: 'my area', floors: ['all'] })
  expect(tickedFloors(myArea, site)).toEqual(new Set([one]))
  expect(tickedFloors(everyone, site)).toEqual(new Set([one, two, three]))
})

test('UX-01 SAFE-21 in My Area a tap on a building or floor chooses it alone, ticked or not', () => {
  expect(chooseFloors(myArea, site, [three], true)).toEqual(named(three))
  expect(chooseFloors(myArea, site, [one], false)).toEqual(named(one))
  const ofWholeSite: Site = { buildings: siteBuildings, own: new Set([one, two, three]) }
  expect(chooseFloors(myArea, ofWholeSite, [one, two], false)).toEqual(named(one, two))
})

test('UX-01 SAFE-21 further taps add floors and take them away', () => {
  expect(chooseFloors(named(three), site, [one], true)).toEqual(named(one, three))
  expect(chooseFloors(named(one, three), site, [three], false)).toEqual(named(one))
})

test("SAFE-19 ticking the last missing floor of the site collapses to 'all'", () => {
  expect(chooseFloors(named(one, three), site, [two], true)).toEqual({ area: 'everyone', floors: ['all'] })
})

test('SAFE-20 clearing the last floor returns to My Area', () => {
  expect(chooseFloors(named(three), site, [three], false)).toEqual(myArea)
  expect(chooseFloors(everyone, site, [one, two, three], false)).toEqual(myArea)
})

test('EVENT-61 SAFE-20 floors whose building has left the event are no choice any more; without any it is My Area', () => {
  const filters = (choice: AreaChoice) => ({ ...defaultFilters, ...choice, assist: true })
  const [towerA] = siteBuildings
  const left = (choice: AreaChoice) => stillChosen(filters(choice), towerA ? [towerA] : [])

  expect(left(named(one, three))).toEqual(filters(named(one)))
  expect(left(named(three))).toEqual(filters(myArea))
  for (const choice of [myArea, everyone, named(one)]) expect(left(choice)).toEqual(filters(choice))
  const unread = filters(named(three))
  expect(stillChosen(unread, [])).toBe(unread)
})

test('SAFE-13 a building is ticked whole, in part or not at all', () => {
  const [towerA, towerB] = siteBuildings as [(typeof siteBuildings)[number], (typeof siteBuildings)[number]]
  expect(tickOf(towerA, tickedFloors(myArea, site))).toBe('some')
  expect(tickOf(towerB, tickedFloors(myArea, site))).toBe('none')
  expect(tickOf(towerA, tickedFloors(everyone, site))).toBe('all')
})

test('UX-01 the list says which building it is of, or how many floors', () => {
  const ofTowers = (...floors: AreaChoice['floors']) => areaWords(named(...floors), site)
  expect([areaWords(myArea, site), areaWords(everyone, site)]).toEqual(['My Area', 'Every floor'])
  expect([ofTowers(one, two), ofTowers(three), ofTowers(one), ofTowers(one, three)]).toEqual([
    ...['Tower A', 'Tower B', '1 floor', '2 floors'],
  ])
})
