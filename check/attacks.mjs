// Does to a record what the owner of its database could do, row by row of the table of attacks in features/log/SPEC.md, and prints
// what the checker says of the bundle, with a log head from outside and without. Each row is done to a log of today, and to one that
// the last release has made and that was upgraded.
//
//   node check/attacks.mjs
import { spawnSync } from 'node:child_process'
import { join } from 'node:path'

const root = join(import.meta.dirname, '..')
const tests = [
  'features/exports/server/attacks.test.ts',
  'features/log/server/head-log',
  'features/log/server/checking',
  'features/log/server/record-check.test.ts',
  'features/records/server/timeline.test.ts',
]
const { status } = spawnSync(process.execPath, ['scripts/test.mjs', 'server', ...tests], {
  cwd: root,
  stdio: 'inherit',
  env: { ...process.env, TELL_ATTACKS: '1' },
})
process.exitCode = status ?? 2
