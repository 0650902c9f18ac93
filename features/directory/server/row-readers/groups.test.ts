import { expect, test } from 'vitest'
import { groupLimits } from '#kernel/console-kinds.ts'
import { type KnownPerson, noneKnown } from '../files/code-index.ts'
import { directoryFiles } from '../files/directory-files.ts'
import { Problems } from '../files/problems.ts'
import { readFile } from '../files/reading.ts'
import { rowsSource } from '../files/row-source.ts'
import type { Stored } from '../stored/stored-rows.ts'
import { readGroups } from './groups.ts'

/** Problems of these members of a group that has so many already, 'm0' and so on. */
async function problemsOf(stored: number, people: readonly string[]) {
  const problems = new Problems()
  const known = {
    ...noneKnown,
    groups: new Map([['G', { uid: 'g', code: 'G', name: 'Group' }]]),
    people: new Map(people.map((uid) => [uid, { uid, code: uid } as KnownPerson])),
  }
  const members = new Map([['g', new Set(Array.from({ length: stored }, (_, n) => `m${n}`))]])
  const rows = people.map((person, n) => ({ file: 'group_members.csv', line: n + 2, cells: { group: 'G', person } }))
  const reading = { source: rowsSource({ groupMembers: rows }), problems, known, now: new Date() }
  const held = { group: new Map() } as unknown as Stored['held']
  await readGroups({ client: undefined, held, known, assignments: [], members }, reading, (file, reader) =>
    readFile(reading, directoryFiles[file], reader),
  )
  return problems.list.map(({ line, column, reason }) => `${line} ${column} ${reason}`)
}

test('IMP-03 PPL-18 a group has at most 100,000 members; those whom it has already are no more', async () => {
  expect(await problemsOf(groupLimits.members - 1, ['m0', 'a', 'b'])).toEqual(['4 group has more than 100,000 members'])
})
