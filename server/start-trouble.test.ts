import { createServer } from 'node:net'
import { expect, test } from 'vitest'
import { importOrganisation } from '#features/directory/server/import.service.ts'
import { findFreePort } from '../scripts/lib/free-ports.ts'
import { startServer } from './server.ts'
import { explainStart } from './start-trouble.ts'
import { openTestDatabase } from './testing/database.ts'
import { givenFolder } from './testing/given-folder.ts'
import { startNode } from './testing/nodes.ts'
import { databaseUrl } from './testing/run-command.ts'
import { testConfig } from './testing/test-server.ts'

/** What a person at the terminal reads when this cannot start. */
async function said(over: Partial<typeof testConfig>) {
  const config = { ...testConfig, demo: false, host: '127.0.0.1', ...over }
  return startServer(config).then(
    (server) => server.stop().then(() => 'started'),
    (error) => explainStart(error, config),
  )
}

test('a database that is not there is said in a sentence, without its password', async () => {
  const port = await findFreePort()

  for (const host of ['localhost', '127.0.0.1'])
    expect(await said({ databaseUrl: `postgres://evac:secret@${host}:${port}/evac` })).toBe(
      `The database evac on ${host}:${port} cannot be used. It cannot be reached (ECONNREFUSED): check that it runs and that DATABASE_URL is right.`,
    )
  expect(await said({ databaseUrl: 'postgres://evac:secret@database.invalid/evac' })).toMatch(
    /^The database evac on database.invalid:5432 cannot be used. It cannot be reached \((ENOTFOUND|EAI_AGAIN)\): check/,
  )
})

test('T34 production does not start on a database that holds the demo, until no one in it can sign in', async () => {
  await using database = await openTestDatabase()
  const url = databaseUrl(database)
  expect(await said({ databaseUrl: url, port: 0, demo: true })).toBe('started')
  const production = { databaseUrl: url, port: 0, production: true }

  const refused = await said(production)
  expect(refused).toMatch(/^This database contains the demo \(HARBOUR, RIVERSIDE\), whose passwords are public\./)
  await database.owner.pg.query(refused.split('\n')[1] as string)
  expect(await said(production)).toBe('started')
})

test('T34 an address of the demo in the files of one organisation does not keep production from starting', async () => {
  await using database = await openTestDatabase()
  using folder = givenFolder({
    'people.csv': 'code,first_name,last_name,email,password\nP1,Gray,Oak,chief@harbour.test,nine lamps on the quay\n',
    'assignments.csv': undefined,
    'peeps.csv': undefined,
    'documents.csv': undefined,
  })
  expect(await importOrganisation({ db: database.owner.db, folder: folder.path })).toMatchObject({ errors: [] })

  expect(await said({ databaseUrl: databaseUrl(database), port: 0, production: true })).toBe('started')
})

test('T25 a start warns of each misspelt setting in the log', async () => {
  await using database = await openTestDatabase()
  const misspelt = { DATABASE_URI: 'x', SMTP_HOST: 'x' }
  await using node = await startNode(database, { LOG_LEVEL: 'warn', ...misspelt })

  const warned = () =>
    node
      .said()
      .split('\n')
      .filter((line) => line.includes('"level":"warn"'))
  await expect
    .poll(warned)
    .toEqual([
      expect.stringContaining('DATABASE_URI is not a setting: did you mean DATABASE_URL?'),
      expect.stringContaining('SMTP_HOST is not a setting of Evac: it has no effect.'),
    ])
})

test('a port that is taken, or not for this account, is said in a sentence', async () => {
  await using database = await openTestDatabase()
  const port = await findFreePort()
  const other = createServer().listen(port, '127.0.0.1')
  const refused = Object.assign(new Error('listen EACCES: permission denied 0.0.0.0:80'), {
    code: 'EACCES',
    syscall: 'listen',
  })

  expect(await said({ databaseUrl: databaseUrl(database), port })).toMatch(`Port ${port} is taken.`)
  expect(explainStart(refused, { ...testConfig, port: 80 })).toMatch('Port 80 needs root.')
  other.close()
})
