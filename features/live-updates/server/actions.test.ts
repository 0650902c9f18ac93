import { globSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { actions } from '../actions.ts'

test('FEED-07 some change writes each action of the journal', () => {
  const files = globSync('{server,features/*/server}/**/*.ts', { exclude: ['**/*.{test,fixture}.ts', '**/testing/**'] })
  const writers = files
    .map((file) => readFileSync(file, 'utf8'))
    .filter((text) => /platform\/db\/journal\.ts'|record-beside\.service\.ts'|into (?:public\.)?journal\b/.test(text))

  expect([...actions.keys()].filter((action) => !writers.some((text) => text.includes(`'${action}'`)))).toEqual([])
})
