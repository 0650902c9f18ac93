import { expect, test } from 'vitest'
import type { EventRecord } from '../calls/record.ts'
import { comparedTo } from './earlier-record.ts'

const states = (unknown: number) => ({ safe: 1, unknown, danger: 0, total: unknown + 1 })

/** A record of buildings, each with one floor that was clear after so many seconds, and so many who were not accounted for. */
const recordOf = (buildings: Record<string, [clear: number, unknown: number]>, over: object = {}) =>
  ({
    number: 1,
    started_at: '2026-05-01T00:00:00.000Z',
    counts_from: 0,
    buildings: Object.entries(buildings).map(([id, [, unknown]]) => ({ id, people: states(unknown) })),
    people: { end: states(Object.values(buildings).reduce((sum, [, unknown]) => sum + unknown, 0)) },
    floors: {
      total: 9,
      rows: Object.entries(buildings).map(([id, [clear]]) => ({ id: `${id}0`, building: id, clear })),
    },
    wardens: { answered: { half: 40 }, coverage: [] },
    texts: { purposes: [] },
    ...over,
  }) as unknown as EventRecord

const earlier = (record: EventRecord) => [{ eventUid: 'e' as never, record }]

test('REC2-11 figures are compared over the buildings that both records had', () => {
  const now = recordOf({ a: [100, 1], b: [900, 7] })
  const then = recordOf({ a: [130, 3] })

  expect(comparedTo(now, earlier(then))).toMatchObject({
    same_buildings: false,
    common_floors: 1,
    last_clear: 130,
    unaccounted: 3,
    half_answered: null,
    own: { last_clear: 100, unaccounted: 1 },
  })
  expect(comparedTo(now, earlier(recordOf({ a: [130, 3], b: [950, 0] })))).toMatchObject({
    same_buildings: true,
    last_clear: 950,
    unaccounted: 3,
    half_answered: 40,
    own: { last_clear: 900, unaccounted: 8 },
  })
})

test('REC2-11 seconds are compared from where each record counts; without half of the buildings there is no comparison', () => {
  const now = recordOf({ a: [100, 0] })

  expect(comparedTo(now, earlier(recordOf({ a: [700, 0] }, { counts_from: 600 })))).toMatchObject({ last_clear: 100 })
  expect(comparedTo(now, earlier(recordOf({ a: [1, 0], b: [1, 0], c: [1, 0] })))).toBeNull()
})
