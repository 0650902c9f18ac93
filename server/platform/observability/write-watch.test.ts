import { expect, test } from 'vitest'
import { asAdmin, openTestDatabase } from '../../testing/database.ts'
import { startNode } from '../../testing/nodes.ts'
import { watchWrites } from './write-watch.ts'

/** Makes the database answer new tables as a full disk would. */
const fillDisk = `
  create function refuse_writes() returns event_trigger language plpgsql as $$
    begin raise exception 'could not extend file: No space left on device' using errcode = '53100'; end $$;
  create event trigger full_disk on ddl_command_start when tag in ('CREATE TABLE', 'CREATE TABLE AS') execute function refuse_writes()`
const soon = { everyMs: 20, whileFailingMs: 20 }

test('F30 a full disk is detected, and so is free space later', async () => {
  await using database = await openTestDatabase()
  const said: string[] = []
  const watch = watchWrites(database.connection, { warn: (_, message) => said.push(message) }, soon)

  await asAdmin(fillDisk, database.connection.database)
  await expect.poll(watch.takesWrites).toBe(false)
  await asAdmin('drop event trigger full_disk', database.connection.database)
  await expect.poll(watch.takesWrites).toBe(true)

  await watch.stop()
  expect(said).toEqual(['The database accepts no writes', 'The database accepts writes again'])
})

test('F30 a slow or disconnected database does not count as full', async () => {
  const roles = { evac_app: 'evac_app', evac_system: 'evac_system' }
  const nowhere = { host: '127.0.0.1', port: 1, user: 'evac', database: 'evac', roles }
  const watch = watchWrites(nowhere, { warn: () => undefined }, soon)

  watch.suspect(new Error('Connection terminated unexpectedly'))

  await watch.stop()
  expect(watch.takesWrites()).toBe(true)
})

test('F30 a node on a read-only database is not ready but serves reads', { timeout: 120_000 }, async () => {
  await using database = await openTestDatabase()
  await using node = await startNode(database, { LOG_LEVEL: 'warn' })
  const { connection } = database
  const name = 'database' in connection ? connection.database : ''
  const ready = async () => (await fetch(`${node.url}/health/ready`)).status
  await database.owner.pg.query(`alter database ${name} set default_transaction_read_only = on`)
  // open connections keep their setting
  await database.owner.pg.query(
    `select pg_terminate_backend(pid) from pg_stat_activity where datname = $1 and pid <> pg_backend_pid()`,
    [name],
  )

  const tryToSignIn = () =>
    fetch(`${node.url}/api/v2/auth/login`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ email: 'nobody@harbour.test', password: 'wrong' }),
    })

  // new connections first have to replace the old ones
  await expect.poll(async () => (await tryToSignIn()) && node.said()).toContain('The database accepts no writes')
  expect(await ready()).toBe(503)
  expect((await tryToSignIn()).status).toBe(503)
  expect((await fetch(`${node.url}/api/health`)).status).toBe(200)
})
