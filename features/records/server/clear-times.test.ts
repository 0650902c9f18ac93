import { expect, test } from 'vitest'
import type { FloorUid } from '#kernel/ids.ts'
import { clearTimesOf, clearWithLast } from './clear-times.ts'

const [ground, first] = ['ground', 'first'] as unknown as [FloorUid, FloorUid]
const change = (floorUid: FloorUid | null, seen: number, clears: boolean) => ({
  floorUid,
  seen,
  recorded: seen + 5,
  clears,
})

test('AAR-12 AAR-44 a floor that was reopened has its first clear time and the one that stood to the end', () => {
  const times = clearTimesOf(
    [ground, first],
    [
      ...[change(ground, 60, true), change(ground, 70, true), change(ground, 90, false), change(ground, 120, true)],
      ...[change(first, 80, true), change(first, 100, false)],
    ],
  )

  expect(times.get(ground)).toEqual({ firstClear: 60, clear: 120, clearRecorded: 125, reopened: 1 })
  expect(times.get(first)).toEqual({ firstClear: 80, clear: null, clearRecorded: null, reopened: 1 })
})

test('AAR-12 KIND-13 a drill that becomes live opens every floor again', () => {
  const times = clearTimesOf([ground, first], [change(ground, 60, true), change(null, 70, false)])

  expect(times.get(ground)).toMatchObject({ clear: null, reopened: 1 })
  expect(times.get(first)).toMatchObject({ firstClear: null, reopened: 0 })
})

test('AAR-12 a building is clear with its last floor, and not before all are', () => {
  const [one, two] = [
    { firstClear: 60, clear: 120, clearRecorded: 0, reopened: 0 },
    { firstClear: 90, clear: 90, clearRecorded: 0, reopened: 0 },
  ]

  expect(clearWithLast([one, two])).toEqual({ firstClear: 90, clear: 120 })
  expect(clearWithLast([one, { ...two, clear: null }])).toMatchObject({ clear: null })
  expect(clearWithLast([])).toEqual({ firstClear: null, clear: null })
})
