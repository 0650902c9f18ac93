import { sql } from 'kysely'
import { expect } from 'vitest'
import { catchUpWithRecords, followWallClock } from '#server/platform/db/steady-clock.ts'
import { test } from '#server/testing/server-test.ts'
import type { TestServer } from '#server/testing/test-server.ts'
import { setPersonStatus } from '../calls/evacuation.ts'

/**
 * An event with its warden, and one person to record. `stepClock` does to the records and to the process's own clock what
 * a step of the database's clock does to them: the wall clock of the test's database is that of the machine.
 */
async function inEvent(server: TestServer) {
  const org = await server.given.organisation()
  const warden = await server.given.warden(org)
  const person = await server.given.occupant(org)
  const { eventUid } = await server.runningEvent(org)
  const call = await server.onDuty(warden)
  let passedMs = 0
  const said: string[] = []
  const look = followWallClock({ warn: (line) => said.push(line) }, () => performance.now() + passedMs)
  const beat = async () => {
    const client = await server.database.owner.pg.connect()
    await look(client).finally(() => client.release())
  }
  await beat()
  return {
    person,
    said,
    beat,
    record: (status: string, secondsAgo: number) => {
      const at = (ms: number) => new Date(ms).toISOString()
      const sentAt = Date.now()
      const headers = { 'x-observed-at': at(sentAt - secondsAgo * 1000), 'x-sent-at': at(sentAt) }
      return call(setPersonStatus, { body: { personId: person, status, floorId: org.floorUid } }, { headers })
    },
    async stepClock(seconds: number) {
      passedMs -= seconds * 1000
      const by = sql<Date>`make_interval(secs => ${-seconds}::float8)`
      await server.db
        .updateTable('event')
        .set({ beganAt: sql`began_at + ${by}` })
        .where('uid', '=', eventUid)
        .execute()
      await sql`update evacuee set status_at = status_at + ${by}, status_observed_at = status_observed_at + ${by},
        place_seen_at = place_seen_at + ${by}, sight_at = sight_at + ${by} where event_uid = ${eventUid}`.execute(
        server.db,
      )
    },
  }
}

test('F33 an event that began while the clock was an hour fast takes records once the clock is right', async ({
  server,
}) => {
  const { record, stepClock, beat, said } = await inEvent(server)
  await stepClock(-3600)
  expect(await record('safe', 0)).toMatchObject({ superseded: true })

  await beat()

  expect(said).toEqual(['The clock of the database was set back by 3600.0 s'])
  expect(await record('safe', 0)).toMatchObject({ superseded: false })
})

test('F33 after the clock was set back a danger can be left, and a late "safe" from before it stays late', async ({
  server,
}) => {
  const { record, stepClock, beat } = await inEvent(server)
  await record('in danger', 0)
  await stepClock(-3600)
  await beat()

  expect(await record('safe', 60)).toMatchObject({ superseded: true })
  expect(await record('safe', 0)).toMatchObject({ superseded: false })
})

test('F33 after the clock jumped forward a "safe" seen before the danger does not overwrite the danger', async ({
  server,
}) => {
  const { record, stepClock, beat, said } = await inEvent(server)
  await record('in danger', 0)
  await stepClock(3600)
  await beat()

  expect(said).toEqual(['The clock of the database was set forward by 3600.0 s'])
  expect(await record('safe', 60)).toMatchObject({ superseded: true })
  expect(await record('safe', 0)).toMatchObject({ superseded: false })
})

test('F33 a clock that was set back while no server ran is noticed at the start by the records themselves', async ({
  server,
}) => {
  const { record, stepClock } = await inEvent(server)
  await record('in danger', 0)
  await stepClock(-3600)
  expect(await record('safe', 0)).toMatchObject({ superseded: true })

  await catchUpWithRecords(server.db)

  expect(await record('safe', 0)).toMatchObject({ superseded: false })
})

test('F33 of several servers that see the same step one writes it down', async ({ server }) => {
  const { beat, stepClock, said } = await inEvent(server)
  const before = await aheadOf(server)
  let passedMs = 0
  const other = followWallClock({ warn: (line) => said.push(line) }, () => performance.now() + passedMs)
  const client = await server.database.owner.pg.connect()
  await other(client)
  await stepClock(-3600)
  passedMs += 3_600_000

  await Promise.all([beat(), other(client)])
  await Promise.all([beat(), other(client)])
  client.release()

  expect(said).toHaveLength(1)
  expect((await aheadOf(server)) - before).toBe(3600)
})

test('F33 a clock that is right is left alone, however long a beat takes', async ({ server }) => {
  const { beat, said } = await inEvent(server)
  for (let n = 0; n < 20; n++) await beat()

  expect(said).toEqual([])
})

async function aheadOf({ db }: TestServer): Promise<number> {
  const { rows } = await sql<{
    seconds: number
  }>`select round(extract(epoch from ahead))::int as seconds from steady_clock`.execute(db)
  return rows[0]?.seconds ?? Number.NaN
}
