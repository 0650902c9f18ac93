import { join } from 'node:path'
import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { setPersonStatus } from '#features/evacuation/calls/evacuation.ts'
import { getProfile, login } from '#features/sign-in/calls/sign-in.ts'
import { openTestDatabase } from '../../testing/database.ts'
import { startTestServer } from '../../testing/test-server.ts'
import { openPool } from '../db/db.ts'
import { newToken } from '../secrets.ts'
import { startPulse } from './database-health.ts'
import { openLine } from './line.fixture.ts'

const times = { everyMs: 20, patienceMs: 200 }

/** A pool and a pulse check behind a line to a real database. */
async function behindALine() {
  const database = await openTestDatabase()
  const { host, port } = database.connection
  const line = await openLine({ path: join(host, `.s.PGSQL.${port}`) })
  const connection = { ...database.connection, host: '127.0.0.1', port: line.port }
  const pool = openPool(connection, 'evac_app', 4)
  const said: string[] = []
  let losses = 0
  const pulse = startPulse(connection, {
    onLost() {
      losses += 1
      pool.cut()
    },
    onBeat: pool.cutSilent,
    log: { warn: (message) => said.push(message) },
    times,
  })
  return {
    database,
    line,
    pool,
    pulse,
    said,
    losses: () => losses,
    async [Symbol.asyncDispose]() {
      await pulse.stop()
      await pool.close()
      await line[Symbol.asyncDispose]()
      await database[Symbol.asyncDispose]()
    },
  }
}
const ask = ({ pool }: Awaited<ReturnType<typeof behindALine>>) => sql`select 1 as one`.execute(pool.db)

test('F6 during a network blackhole no one waits for an old connection, and work continues after it', async () => {
  await using stage = await behindALine()
  await ask(stage)
  expect(stage.pulse.isAway()).toBe(false)

  stage.line.fallSilent()
  await expect(ask(stage)).rejects.toThrow('Connection terminated')

  expect([stage.pulse.isAway(), stage.pulse.isAnswering()]).toEqual([true, false])
  expect(stage.said).toEqual(['The database does not answer. Requests get 503 until it does'])
  stage.line.heal()
  await expect.poll(stage.pulse.isAway).toBe(false)
  expect(stage.pulse.isAnswering()).toBe(true)
  expect((await ask(stage)).rows).toEqual([{ one: 1 }])
})

test('F6 a database that closes its connections counts as away until it accepts new ones', async () => {
  await using stage = await behindALine()
  await expect.poll(stage.pulse.isAnswering).toBe(true)

  stage.line.refuse()
  await expect.poll(stage.pulse.isAnswering).toBe(false)

  stage.line.heal()
  await expect.poll(stage.pulse.isAnswering).toBe(true)
})

test('F34 a standby counts as away and keeps no connections', async () => {
  await using stage = await behindALine()
  const owner = stage.database.owner.db
  const pid = async () => (await sql`select pg_backend_pid() as pid`.execute(stage.pool.db)).rows
  const first = await pid()
  await expect.poll(stage.pulse.isAnswering).toBe(true)

  // every new connection then sees a standby
  await sql`create function public.pg_is_in_recovery() returns bool language sql as 'select true'`.execute(owner)
  await sql`do $$ begin execute format('alter database %I set search_path = public, pg_catalog', current_database()); end $$`.execute(
    owner,
  )
  await sql`select pg_terminate_backend(pid) from pg_stat_activity
    where datname = current_database() and application_name = 'evac_pulse'`.execute(owner)

  // each check of the standby drops all connections
  await expect.poll(stage.losses, { timeout: 10_000 }).toBeGreaterThan(3)
  await expect.poll(stage.pulse.isAway).toBe(true)
  expect(stage.pulse.isAnswering()).toBe(false)

  await sql`drop function public.pg_is_in_recovery()`.execute(owner)
  await expect.poll(stage.pulse.isAway).toBe(false)
  expect(stage.pulse.isAnswering()).toBe(true)
  expect(await pid()).not.toEqual(first)
})

test('F6 a node is ready while every connection is busy, and not ready while the database does not answer', async () => {
  await using server = await startTestServer()
  const ready = async (app = server.app) => (await app.inject('/health/ready')).statusCode
  const { max } = server.database.tenant.pg.options
  const work = Array.from({ length: max }, () => sql`select pg_sleep(2)`.execute(server.app.db))

  expect(await Promise.race([ready(), ...work.map((one) => one.then(() => 'a connection is free again'))])).toBe(200)

  await Promise.all(work)
  await using lost = await startTestServer({ isDatabaseAnswering: () => false })
  expect(await ready(lost.app)).toBe(503)
})

test('F6 a slow statement is not cancelled while the database answers', async () => {
  await using stage = await behindALine()

  const slow = await sql`select pg_sleep(0.6), 1 as one`.execute(stage.pool.db)

  expect(slow.rows).toMatchObject([{ one: 1 }])
  expect(stage.said).toEqual([])
})

test('F6 a process that is cut off in a transaction does not hold its locks for long', async () => {
  await using stage = await behindALine()

  const { rows } = await sql`show idle_in_transaction_session_timeout`.execute(stage.pool.db)

  expect(rows).toEqual([{ idleInTransactionSessionTimeout: '10s' }])
})

test('F6 API-72 while the database is away a read gets 503 at once, with Retry-After', async () => {
  await using server = await startTestServer({ isDatabaseAway: () => true })
  const get = (url: string) => server.app.inject({ url, headers: { authorization: `Bearer ${'x'.repeat(40)}` } })

  for (const url of [getProfile.path, '/health/ready']) {
    const answer = await get(url)
    expect(answer.statusCode).toBe(503)
    expect(answer.json()).toMatchObject({ error: 'unavailable' })
    expect(answer.headers['retry-after']).toBe('2')
  }
  for (const url of ['/health/live', '/metrics']) expect((await get(url)).statusCode).toBe(200)
})

test('F6 a record that comes just before the database is back is stored; a read gets 503 at once', async () => {
  let isAway = false
  await using server = await startTestServer({ isDatabaseAway: () => isAway })
  const org = await server.given.organisation()
  const warden = await server.given.warden(org)
  const person = await server.given.occupant(org)
  await server.runningEvent(org)
  const call = await server.onDuty(warden)
  const status = { personId: person, floorId: org.floorUid, status: 'safe' }

  isAway = true
  const stored = call(setPersonStatus, { body: status })
  await expect(call(getProfile, {})).rejects.toMatchObject({ status: 503 })
  isAway = false
  expect(await stored).toMatchObject({ status: 'success', superseded: false })
})

test('F6 T24 a record waits for the database a moment only, and one with a made-up token not at all', async () => {
  await using server = await startTestServer({ isDatabaseAway: () => true })
  const answers: string[] = []
  const record = async (whose: string, token: string) => {
    const headers = { authorization: `Bearer ${token}` }
    const answer = await server.app.inject({ method: 'POST', url: setPersonStatus.path, headers, payload: {} })
    answers.push(`${whose} ${answer.statusCode}`)
  }

  await Promise.all([
    record('a warden', newToken(server.app.secrets.access)),
    record('a stranger', newToken(Buffer.from('another key'))),
  ])

  expect(answers).toEqual(['a stranger 503', 'a warden 503'])
})

test('F6 API-72 a database whose name does not resolve counts as away: nothing was done, try again', async () => {
  const roles = { evac_app: 'evac_app', evac_system: 'evac_system' }
  const lost = openPool({ connectionString: 'postgres://evac@database.invalid/evac', roles }, 'evac_system', 1)
  await using server = await startTestServer({ system: lost.db })
  const warden = await server.given.warden(await server.given.organisation())

  const answer = await server.app.inject({
    method: 'POST',
    url: login.path,
    payload: { email: warden.email, password: 'evacuate1' },
  })

  expect([answer.statusCode, answer.json().error]).toEqual([503, 'unavailable'])
  await lost.close()
})
