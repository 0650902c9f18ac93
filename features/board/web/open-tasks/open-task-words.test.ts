import { expect, test } from 'vitest'
import { formatMinute } from '#web/lib/time/server-clock.ts'
import { type ContradictionKind, contradictionKinds } from '../../kinds.ts'
import type { Need } from '../../open-tasks.ts'
import type { Picture } from '../reading/board-snapshot.ts'
import { needWords } from './open-task-words.ts'

const need: Need = { key: 'command', kind: 'command', building: null, floor: null, count: 1, since: 60 }
const wordsOf = (command: object) => needWords(need, { board: { command } } as unknown as Picture, 300)

test('CMD-05 BOARD-14 a struck need of command never says of the new leader that they are not heard', () => {
  expect(wordsOf({ name: 'Grace Okafor', silent_since: 60 })).toBe('Grace Okafor: no contact for 4 min')
  expect(wordsOf({ name: null })).toBe('No one is in command.')
  expect(wordsOf({ name: 'Daniel Reyes' })).toBe('No contact with the person in command')
})

test('REC-07 BOARD-13 each of two records has its own time, also when the safe was seen before the danger', () => {
  const event = { began_at: '2026-11-25T10:00:00.000Z' }
  const minute = (at: number) => formatMinute(Date.parse(event.began_at) + at * 1000)
  const words = (kind: ContradictionKind, first: number, second: number) =>
    needWords(
      { ...need, kind: 'contradiction', contradiction: { kind, floor: 0, first, second } },
      {
        board: { event, buildings: [] },
      } as unknown as Picture,
      9000,
    )
  const [danger, safe] = [minute(7200), minute(7020)]
  const against: Record<ContradictionKind, string> = {
    cleared_danger: `Cleared ${danger}, in danger ${safe}`,
    cleared_plan: `Cleared ${danger}, PEEP unknown`,
    cleared_refusal: `Cleared ${danger}, refused ${safe}`,
    cleared_seen: `Cleared ${danger}, seen there ${safe}`,
    own_safe: `In danger ${danger}, says safe ${safe}`,
    own_lifted: `In danger ${danger}, self-reported safe ${safe}`,
    late_safe: `In danger ${danger}, a late safe ${safe}`,
    two_places: `In danger ${danger}, safe on another floor ${safe}`,
  }
  for (const kind of contradictionKinds) expect(words(kind, 7200, 7020)).toBe(against[kind])
})
