// Does to a record what the owner of its database could do, row by row of the table of attacks in features/log/SPEC.md, and prints
// what the checker says of the bundle, with a log head from outside and without.
//
//   node check/attacks.mjs
import { spawnSync } from 'node:child_process'
import { join } from 'node:path'

const root = join(import.meta.dirname, '..')
const tests = [
  'features/exports/server/attacks.test.ts',
  'features/log/server/head-log',
  'features/log/server/checking',
]
const { status } = spawnSync(process.execPath, ['scripts/test.mjs', 'server', ...tests], {
  cwd: root,
  stdio: 'inherit',
})
process.exitCode = status ?? 2
