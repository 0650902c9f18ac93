import { spawnSync } from 'node:child_process'
import { expect, test } from 'vitest'
import { mutants } from './mutants.fixture.ts'

const vitest = [
  'node_modules/vitest/vitest.mjs',
  'run',
  '--project',
  'server',
  'features/records/server/count/count.test.ts',
]

test.for(mutants.map((mutant, nth) => ({ ...mutant, nth })))(
  'REC2-15 the random events notice within 200 that: $what',
  { tags: ['long'], timeout: 900_000 },
  ({ nth }) => {
    const env = { ...process.env, RECORD_MUTANT: String(nth), RECORD_EVENTS: '200' }
    const { status, stdout } = spawnSync(process.execPath, vitest, { env, encoding: 'utf8' })

    expect(status).toBe(1)
    expect(stdout).toContain('Property failed after')
  },
)
