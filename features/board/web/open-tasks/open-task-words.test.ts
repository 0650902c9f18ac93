import { expect, test } from 'vitest'
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
