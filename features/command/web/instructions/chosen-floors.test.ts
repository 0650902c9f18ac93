import { expect, test } from 'vitest'
import type { BuildingUid, FloorUid } from '#kernel/ids.ts'
import { chooseWave, floorsOf, isWave, type Wave, waves, whereOf } from './chosen-floors.ts'

const building = (name: string, count: number) => ({
  id: name as BuildingUid,
  name,
  floors: Array.from({ length: count }, (_, level) => ({ id: `${name}${level}` as FloorUid, name: `Level ${level}` })),
})
const [tower, annex] = [building('Tower', 7), building('Annex', 2)]
const places = [tower, annex]
const floors = (...ids: string[]) => new Set(ids as FloorUid[])
const wave = (name: string) => waves.find((one) => one.name === name) as Wave

test.each([
  ['This floor ±1', ['Tower2', 'Tower3', 'Tower4']],
  ['±2', ['Tower1', 'Tower2', 'Tower3', 'Tower4', 'Tower5']],
  ['Above', ['Tower4', 'Tower5', 'Tower6']],
  ['Below', ['Tower0', 'Tower1', 'Tower2']],
  ['Whole building', tower.floors.map(({ id }) => id)],
])('CMD-26 a floor and %s make a wave in its building, and other buildings keep theirs', (name, expected) => {
  const chosen = chooseWave(floors('Tower3', 'Tower6', 'Annex1'), tower, 'Tower3' as FloorUid, wave(name))

  expect([...chosen].sort()).toEqual(['Annex1', ...expected].sort())
  expect(isWave(chosen, tower, 'Tower3' as FloorUid, wave(name))).toBe(true)
})

test('CMD-26 at the top and at the ground a wave ends with the building', () => {
  expect([...chooseWave(floors(), tower, 'Tower6' as FloorUid, wave('This floor ±1'))]).toEqual(['Tower5', 'Tower6'])
  expect([...chooseWave(floors(), tower, 'Tower0' as FloorUid, wave('±2'))]).toEqual(['Tower0', 'Tower1', 'Tower2'])
})

test('CMD-21 every floor is sent as all floors', () => {
  const all = places.flatMap((one) => one.floors.map(({ id }) => id))

  expect(floorsOf(new Set(all), places)).toBe('all')
  expect(floorsOf(floors('Annex1', 'Tower2', 'gone'), places)).toEqual(['Tower2', 'Annex1'])
})

test('CMD-21 floors in words', () => {
  const where = (...ids: string[]) => whereOf(ids as FloorUid[], places)

  expect(whereOf('all', places)).toBe('All floors')
  expect(where('Tower3')).toBe('Tower, Level 3')
  expect(where('Tower3', 'Tower4', 'Annex0', 'Annex1')).toBe('Tower, Level 3 and Level 4. Annex, all 2 floors')
  expect(where('gone')).toBe('Floors that have left the event')
})
