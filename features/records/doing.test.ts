import { expect, test } from 'vitest'
import type { EventRecord } from './calls/record.ts'
import { actionsInWords, placesToGo, resultInWords, sayOfRecord } from './doing.ts'

type Told = NonNullable<EventRecord['actions']>[number]
const [a, b] = [
  { id: 'a' as never, name: 'Tower A' },
  { id: 'b' as never, name: 'Safe House' },
]
const record = (actions: Told[]) => ({
  actions,
  timezone: 'Australia/Sydney',
  started_at: '2026-11-02T03:00:00.000Z',
  buildings: [a, b].map((building) => ({ ...building, joined: 0, left: null, first_clear: null, clear: null })),
})
const began: Told = { seconds: 0, action: 'evacuate', buildings: [a, b] }
const locked: Told = { seconds: 720, action: 'lockdown', buildings: [{ ...a, before: 'evacuate' }] }

test('RESP-11 the header names each action and when it began, and buildings where it was not for all', () => {
  expect(actionsInWords(record([began, locked]))).toBe('Evacuate 14:00; Lockdown 14:12, Tower A')
  expect(actionsInWords(record([{ ...began, action: 'move', where: 'the oval' }]))).toBe('Move 14:00')
  expect(placesToGo(record([{ ...began, action: 'move', where: 'the oval' }]))).toBe('the oval')
  const left = { ...record([]), actions: undefined }
  expect([actionsInWords(left), placesToGo(left)]).toEqual([null, null])
})

const headings = [
  ...['Safe', 'In danger', 'Refused to leave', 'Refused', 'Floors clear', 'Cleared, but not everyone seen'],
  ...['In danger and later safe', '2 safe, 1 unknown, 1 in danger', 'Show who was in danger', 'Last safe after'],
]

test('RESP-03 RESP-11 a record in which everyone left speaks as ever', () => {
  expect(headings.map(sayOfRecord(record([])))).toEqual(headings)
  expect(resultInWords({ word: 'danger', people: 1200 })).toBe('1,200 in danger at the end')
})

test('RESP-03 RESP-11 a record speaks in the words of the last action before the release', () => {
  const released: Told = { seconds: 900, action: 'release', buildings: [{ ...a, before: 'lockdown' }] }
  expect(headings.map(sayOfRecord(record([{ ...locked, seconds: 0 }, released])))).toEqual([
    ...['Accounted for', 'Need help', 'Left against the instruction', 'Left', 'Floors locked'],
    ...['Locked, but not everyone seen', 'In need of help and later accounted for'],
    ...['2 accounted for, 1 unknown, 1 needs help', 'Show who needed help', 'Last accounted for after'],
  ])
  expect(resultInWords({ word: 'danger', people: 2, voice: 'stay' })).toBe('2 in need of help at the end')
  const mixed = sayOfRecord(record([began, locked]))
  expect(['Safe', 'In danger', 'Floors clear'].map(mixed)).toEqual([
    ...['Safe or accounted for', 'Need help', 'Floors clear or locked'],
  ])
})
