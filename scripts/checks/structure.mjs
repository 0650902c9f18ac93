import { globSync, readFileSync } from 'node:fs'
import { dirname } from 'node:path'

const tests = ['**/*.{test,spec,fixture}.{ts,tsx}', '**/testing/**', '**/node_modules/**', '**/dist/**']
const rooms = '{contract,server,web,e2e,bench,faults,rig,scripts}/**/*.{ts,tsx,mjs}'
const mostFiles = 20

/** Statements that only one file may contain. A list of tables is not a statement. */
const owned = [
  {
    what: 'reads or writes the table tally',
    statement: /\b(?:from|join|into|update) tally\b|(?:From|Join|Into|Table)\('tally\b/,
    owner: 'server/src/features/evacuation/tally.queries.ts',
  },
  {
    what: 'inserts into the table sms',
    statement: /\binto sms\b(?!_)|insertInto\('sms'/,
    owner: 'server/src/features/sms/queue.queries.ts',
  },
]

const server = globSync('server/src/**/*.ts', { exclude: tests })
const strays = owned.flatMap(({ what, statement, owner }) =>
  server
    .filter((file) => file !== owner && statement.test(readFileSync(file, 'utf8')))
    .map((file) => `${file} ${what}: only ${owner} does`),
)

const folders = Map.groupBy(globSync(rooms, { exclude: tests }), dirname)
const full = [...folders]
  .filter(([, files]) => files.length > mostFiles)
  .map(([folder, files]) => `${folder} has ${files.length} files, at most ${mostFiles}: split it by subject`)

if (strays.length + full.length > 0) {
  console.error([...strays, ...full].join('\n'))
  process.exitCode = 1
}
