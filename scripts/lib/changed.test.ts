import { expect, test } from 'vitest'
import { partsOf } from './changed.mjs'

const programs = ['server/src/testing/nodes.ts', 'server/src/testing/run-command.ts']

test.each([
  ['nothing', [], {}],
  ['prose', ['README.md', 'docs/how-to.md'], {}],
  ['a screen', ['web/src/ui/toast.tsx'], { web: ['web/src/ui/toast.tsx'], e2e: 'all' }],
  ['a test of a screen', ['web/src/ui/toast.test.tsx'], { web: ['web/src/ui/toast.test.tsx'] }],
  [
    'a file of the server, which tests also start as a process',
    ['server/src/http/load.ts'],
    { server: ['server/src/http/load.ts', ...programs], e2e: 'all' },
  ],
  ['a test of the server', ['server/src/a.test.ts'], { server: ['server/src/a.test.ts'] }],
  ['a migration, which is read and not imported', ['server/migrations/0001.sql'], { server: 'all', e2e: 'all' }],
  ['an end-to-end test', ['e2e/kill.spec.ts'], { e2e: ['e2e/kill.spec.ts'] }],
  ['what end-to-end tests share', ['e2e/support/test.ts'], { e2e: 'all' }],
  [
    'the contract',
    ['contract/src/limits.ts'],
    { server: ['contract/src/limits.ts', ...programs], web: ['contract/src/limits.ts'], e2e: 'all' },
  ],
  ['the lock file', ['package-lock.json'], { server: 'all', web: 'all', e2e: 'all' }],
])('%s runs what it can touch', (_what, files, parts) => {
  expect(partsOf(files)).toEqual({ check: 'all', ...parts })
})
