import { expect, test } from 'vitest'
import type { BuildingUid, EventUid, FloorUid, SiteUid } from '#kernel/ids.ts'
import type { Board, BoardFloor, BoardPlaces } from './calls/board.ts'
import { needsOf } from './open-tasks.ts'

const places = (...buildings: number[]): BoardPlaces => ({
  version: '1',
  statuses: [
    { name: 'Not Started', colour: 'grey', means_clear: false, is_first: true },
    { name: 'Evacuated', colour: 'green', means_clear: true, is_first: false },
  ],
  buildings: buildings.map((count, b) => ({
    id: `b${b}` as BuildingUid,
    name: `Building ${b}`,
    floors: Array.from({ length: count }, (_, f) => ({ id: `b${b}f${f}` as FloorUid, name: `Level ${f}`, level: f })),
  })),
})
const board = (floors: BoardFloor[], more: Partial<Board> = {}): Board => ({
  at: '2026-11-25T10:41:52.000Z',
  slow_at: '2026-11-25T10:41:50.000Z',
  horizon: '1',
  places: '1',
  event: {
    id: 'e' as EventUid,
    site: { id: 's' as SiteUid, name: 'Harbour Quarter', timezone: 'Australia/Sydney' },
    type: 'Fire',
    kind: 'live',
    began_at: '2026-11-25T10:18:11.000Z',
    coverage_minutes: 3,
  },
  totals: {
    people: { safe: 0, unknown: 0, danger: 0, total: 0 },
    danger_floors: 0,
    calls: 0,
    unknown_by_place: { not_cleared: 0, cleared: 0 },
    unknown_by_cause: { unclear: 0, text_failed: 0, asked: 0, seen_before: 0, not_asked: 0 },
    own_word: 0,
    floors: { total: floors.length, cleared: 0, under_way: 0, help: 0, not_begun: 0 },
    plans: 0,
    no_warden: 0,
    unanswered: 0,
    refused: 0,
    refused_floors: 0,
  },
  buildings: [{}],
  floors,
  calls: [],
  contradictions: [],
  more: false,
  ...more,
})
const told = (given: Board, of: BoardPlaces, now = 1000) =>
  needsOf(given, of, now).map(({ kind, floor, since }) => [kind, floor, since])

test('BOARD-13, REC-28 calls for help of one place are one need, after danger and before all else, the oldest first', () => {
  const floors: BoardFloor[] = [{ status: 0, danger: 1, danger_at: 900 }, { status: 0, gap: 10 }, { status: 0 }]
  const calls = [
    { uid: 'c1' as never, floor: 2, count: 3, first: 300, newest: 800 },
    { uid: 'c2' as never, count: 1, first: 400, newest: 400 },
  ]
  const needs = needsOf(board(floors, { calls }), places(3), 1000)
  expect(needs.map(({ kind, floor, since, count }) => [kind, floor, since, count])).toEqual([
    ['danger', 0, 900, 1],
    ['call', 2, 300, 3],
    ['call', null, 400, 1],
    ['gap_overdue', 1, 10, 1],
  ])
  // the same while further ones come from there
  expect(needs.map(({ key }) => key).filter((key) => key.startsWith('call'))).toEqual(['call b0f2', 'call nowhere'])
})

test('BOARD-13 the kinds in their order, within a kind the oldest first, of danger the newest', () => {
  const floors: BoardFloor[] = [
    { status: 0, gap: 990 },
    { status: 0, unanswered: 2, unanswered_at: 700 },
    { status: 0, gap: 400 },
    { status: 0, since: 600, plans: 2 },
    { status: 0, plans: 1 },
    { status: 1, danger: 1, danger_at: 500, since: 450 },
    { status: 0, danger: 2, danger_at: 900 },
  ]
  const contradictions = [{ kind: 'cleared_danger' as const, floor: 5, first: 450, second: 500 }]
  expect(told(board(floors, { contradictions }), places(7))).toEqual([
    ['danger', 6, 900],
    ['danger', 5, 500],
    ['contradiction', 5, 500],
    ['plan', 4, 0],
    ['plan', 3, 600],
    ['gap_overdue', 2, 400],
    ['message', 1, 700],
    ['gap', 0, 990],
  ])
})

test('BOARD-13 a plan on a cleared floor is none, of people without a floor it is one', () => {
  const floors: BoardFloor[] = [{ status: 1, since: 10, plans: 3 }, { plans: 1 }]
  expect(told(board(floors), places(2))).toEqual([['plan', 1, 0]])
})

test('BOARD-13 a message is a need after 3 minutes, a gap is overdue after the minutes of the organisation', () => {
  const floors: BoardFloor[] = [{ status: 0, gap: 100, unanswered: 1, unanswered_at: 100 }]
  expect(told(board(floors), places(1), 279)).toEqual([['gap', 0, 100]])
  expect(told(board(floors), places(1), 280)).toEqual([
    ['gap_overdue', 0, 100],
    ['message', 0, 100],
  ])
})

test('BOARD-13 ten gaps of a building are ten entries, eleven are one, a building covered whole is one', () => {
  const gaps = (count: number) => Array.from({ length: count }, (_, i): BoardFloor => ({ status: 0, gap: 900 - i }))
  expect(needsOf(board(gaps(10)), places(10), 1000)).toHaveLength(10)
  expect(needsOf(board(gaps(11)), places(11), 1000)).toEqual([
    { key: 'gaps b0', kind: 'gap', building: 0, floor: null, count: 11, since: 890 },
  ])
  const whole = board([{ status: 0 }, { status: 0, gap: 5 }], { buildings: [{ whole: true, gap: 7 }, {}] })
  expect(told(whole, places(1, 1), 8)).toEqual([
    ['gap', 1, 5],
    ['gap', null, 7],
  ])
})

test('BOARD-13 an entry keeps its key while its age and count change, and when a building joins', () => {
  const keyOf = (given: Board, of: BoardPlaces, now: number) => needsOf(given, of, now).map(({ key }) => key)
  const before = keyOf(board([{ danger: 1, danger_at: 1, gap: 1 }]), places(1), 2)
  expect(keyOf(board([{ danger: 5, danger_at: 9, gap: 1 }]), places(1), 900)).toEqual(before)
  expect(before).toEqual(['danger b0f0', 'gap b0f0'])
})

test('BOARD-13 a contradiction of a floor is named by its row, that of a person by the person', () => {
  const contradictions = [
    { kind: 'cleared_danger' as const, floor: 0, first: 1, second: 2 },
    { kind: 'cleared_danger' as const, floor: 1, first: 1, second: 3 },
    { kind: 'own_safe' as const, subject: 'p1', floor: 1, first: 1, second: 4 },
    { kind: 'own_safe' as const, subject: 'p2', floor: 1, first: 1, second: 5 },
  ]
  const needs = needsOf(board([{ status: 1 }, { status: 1 }], { contradictions }), places(2), 9)
  expect(needs.map(({ key }) => key)).toEqual([
    ...['cleared_danger b0f0', 'cleared_danger b0f1', 'own_safe p1', 'own_safe p2'],
  ])
})

test('BOARD-13 nothing to do is an empty list, and a board ahead of its places tells of no floor that it cannot name', () => {
  expect(needsOf(board([{ status: 1 }]), places(1), 5)).toEqual([])
  expect(needsOf(board([{ status: 1 }, { danger: 1, danger_at: 1 }]), places(1), 5)).toEqual([])
})

test('BOARD-13 a contradiction needs someone since the newer of its two records, whichever that is', () => {
  const contradictions = [
    { kind: 'late_safe' as const, subject: 'p1', floor: 0, first: 500, second: 300 },
    { kind: 'own_lifted' as const, subject: 'p2', floor: 0, first: 100, second: 400 },
  ]
  expect(told(board([{ status: 0 }], { contradictions }), places(1))).toEqual([
    ['contradiction', 0, 400],
    ['contradiction', 0, 500],
  ])
})

test('RESP-05 in a lockdown a floor without a warden is no need, nor is a building', () => {
  const floors: BoardFloor[] = [{ status: 0, gap: 100 }, { status: 0 }]
  const doing = (action: 'lockdown' | 'shelter', gap?: number) =>
    told(board(floors, { buildings: [{ action, ...(gap !== undefined && { gap }) }] }), places(2), 279)

  expect(doing('lockdown')).toEqual([])
  expect(doing('lockdown', 100)).toEqual([])
  expect(doing('shelter')).toEqual([['gap', 0, 100]])
})

test('LADDER-07 BOARD-13 wardens who were not reached are one need, after a late instruction and before messages', () => {
  const floors: BoardFloor[] = [
    { status: 0, unanswered: 1, unanswered_at: 10 },
    { status: 0, gap: 990 },
  ]
  const instruction = { uid: 'i' as never, kind: 'stay' as const, by: 'Ada', at: 100, understood: 0, meant: 2 }

  const needs = told(board(floors, { instruction, reach: { wardens: 2, since: 300 } }), places(2))

  expect(needs).toEqual([
    ['instruction', null, 100],
    ['reach', null, 300],
    ['message', 0, 10],
    ['gap', 1, 990],
  ])
  expect(told(board(floors), places(2)).map(([kind]) => kind)).toEqual(['message', 'gap'])
})
