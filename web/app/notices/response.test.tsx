import { afterEach, expect, test } from 'vitest'
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
})
