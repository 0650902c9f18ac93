import { expect, test } from 'vitest'
import { partsOf } from './changed.mjs'

const programs = ['server/testing/nodes.ts', 'server/testing/run-command.ts']
const app = 'server/app.ts'

test.each([
  ['nothing', [], {}],
  ['prose', ['README.md', 'docs/how-to.md'], {}],
  ['a screen', ['web/ui/toast.tsx'], { web: ['web/ui/toast.tsx'], e2e: 'all' }],
  ['a test of a screen', ['web/ui/toast.test.tsx'], { web: ['web/ui/toast.test.tsx'] }],
  [
    'a file of the server, which tests also start as a process',
    ['server/http/load.ts'],
    { server: ['server/http/load.ts', app, ...programs], e2e: 'all' },
  ],
  ['a test of the server', ['server/a.test.ts'], { server: ['server/a.test.ts'] }],
  ['a migration, which is read and not imported', ['server/migrations/0001.sql'], { server: 'all', e2e: 'all' }],
  ['an end-to-end test', ['e2e/kill.spec.ts'], { e2e: ['e2e/kill.spec.ts'] }],
  ['what end-to-end tests share', ['e2e/support/test.ts'], { e2e: 'all' }],
  [
    'the contract',
    ['kernel/limits.ts'],
    { server: ['kernel/limits.ts', app, ...programs], web: ['kernel/limits.ts'], e2e: 'all' },
  ],
  ['the lock file', ['package-lock.json'], { server: 'all', web: 'all', e2e: 'all' }],
])('%s runs what it can touch', (_what, files, parts) => {
  expect(partsOf(files)).toEqual({ check: 'all', ...parts })
})
