import { afterEach, expect, test } from 'vitest'
import { sayOf } from '#kernel/action-words.ts'
import { isQuiet } from '../../lib/look/quiet.ts'
import { responseStore, sayNow } from '../../live/response.ts'
import type { Brief } from '../../reads/brief.data.ts'
import { respond } from './response.tsx'

type Actions = NonNullable<Brief['actions']>
const lockdown = (own: boolean): Actions => [
  { building: 'a' as never, name: 'Tower A', own, action: 'lockdown', action_from: '2026-03-02T03:12:00Z' },
]
afterEach(() => respond(undefined, false))
const speech = () => responseStore.get()

test('RESP-03 one building speaks of its own, totals of several groups name both, and no one else is touched', () => {
  respond(lockdown(false), true)
  expect(speech()?.in('a')('2 in danger')).toBe('2 need help')
  expect(speech()?.in('a')('1 in danger')).toBe('1 needs help')
  expect(speech()?.in('a')('Cleared, with someone in danger')).toBe('Locked, with someone who needs help')
  expect(speech()?.in('b')('In danger')).toBe('In danger')
  expect([speech()?.total('Safe'), speech()?.total('In danger'), speech()?.total('Floors cleared')]).toEqual([
    'Safe or accounted for',
    'Need help',
    'Floors done',
  ])
  expect([sayNow('quiet')('Danger on floor'), sayNow(undefined)('Danger on floor')]).toEqual([
    'Needs help',
    'Danger on floor',
  ])
  expect(isQuiet()).toBe(false)
})

const texts = [
  ...['1 person in danger', '3 people in danger', '2 refusals to evacuate', '85 safe', '3 refused', 'refused', 'safe'],
  ...['In danger 2, unknown 3', 'Cleared 14:02, refused 14:05', 'In danger 14:02, says safe 14:05', 'not yet safe'],
  ...['Refuses to evacuate', 'who refuse to evacuate', '1 needs help to get out', '2 need help to get out', 'Dgr'],
]

test('RESP-03 what boards, alarms, turns of command and recipients say of people, letter for letter', () => {
  expect(texts.map(sayOf([{ action: 'lockdown' }]))).toEqual([
    ...['1 person needs help', '3 people need help', '2 left against the instruction', '85 accounted for'],
    ...['3 left against the instruction', 'left against the instruction', 'accounted for', 'Need help 2, unknown 3'],
    ...['Locked 14:02, left 14:05', 'Needs help 14:02, says safe 14:05', 'not yet accounted for'],
    ...['Left against the instruction', 'who left against the instruction', '1 with a PEEP unknown'],
    ...['2 with a PEEP unknown', 'Help'],
  ])
})

test('RESP-05 a phone that is there is quiet and dark, also when it is opened anew, until the lockdown is over', () => {
  respond(lockdown(true), false)
  expect([isQuiet(), document.documentElement.dataset.theme]).toEqual([true, 'dark'])
  expect(localStorage.getItem('quiet')).toBe('yes')

  respond([{ ...(lockdown(true)[0] as Actions[number]), action: 'release', action_before: 'lockdown' }], false)
  expect(speech()?.in('a')('In danger')).toBe('Need help')
  expect([isQuiet(), document.documentElement.dataset.theme]).not.toContain('dark')
  expect(isQuiet()).toBe(false)
})

test('RESP-01 where everyone leaves the words are those that they are given', () => {
  expect(speech()).toBe(null)
  expect(sayNow(undefined)('In danger')).toBe('In danger')
  expect(texts.map(sayOf([]))).toEqual(texts)
  expect(texts.map(sayOf([{ action: 'evacuate' }, { action: 'move' }]))).toEqual(texts)
})
