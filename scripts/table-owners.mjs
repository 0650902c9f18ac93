import { globSync, readFileSync } from 'node:fs'

/** The one file whose statements read and write a table. A list of tables, to delete or to analyse, is no statement. */
const owners = { tally: 'server/src/features/evacuation/tally.queries.ts' }

const files = globSync('server/src/**/*.ts', { exclude: ['**/*.test.ts', '**/*.fixture.ts', 'server/src/testing/**'] })
const strays = Object.entries(owners).flatMap(([table, owner]) => {
  const statement = new RegExp(`\\b(?:from|join|into|update) ${table}\\b|(?:From|Join|Into|Table)\\('${table}\\b`)
  return files
    .filter((file) => file !== owner && statement.test(readFileSync(file, 'utf8')))
    .map((file) => `${file} names the table ${table}: only ${owner} does`)
})
if (strays.length > 0) {
  console.error(strays.join('\n'))
  process.exitCode = 1
}
