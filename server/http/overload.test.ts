import { connect } from 'node:net'
import { expect } from 'vitest'
import { changeFloor, getFloorData, setPersonStatus } from '#features/evacuation/calls/evacuation.ts'
import { getProfile } from '#features/sign-in/calls/sign-in.ts'
import { bearer } from '../security/authorisation/ask.fixture.ts'
import { openTestDatabase } from '../testing/database.ts'
import { test } from '../testing/server-test.ts'
import { startTestServer, type TestServer } from '../testing/test-server.ts'
import { type ReadInTurn, readTurns } from './read-turns.ts'

async function onFloor(server: TestServer, { wardens }: { wardens: number }) {
  const org = await server.given.organisation()
  const all = []
  for (let n = 0; n < wardens; n++) all.push(await server.given.warden(org))
  const person = await server.given.occupant(org)
  await server.runningEvent(org, { buildings: [org.buildingUid, org.otherBuildingUid] })
  const calls = await Promise.all(all.map((warden) => server.onDuty(warden)))
  return { org, person, calls, call: calls[0] as (typeof calls)[number] }
}

/** No list of a floor can be read until `release`: each waits for the plans. */
async function holdLists({ database }: TestServer) {
  const holder = await database.owner.pg.connect()
  await holder.query('begin; lock table peep in access exclusive mode')
  const countWaiting = async () => {
    const { rows } = await database.owner.pg.query(
      `select count(*)::int as waiting from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`,
    )
    return rows[0]?.waiting
  }
  return {
    waiting: (count: number) => expect.poll(countWaiting, { timeout: 10_000, interval: 5 }).toBe(count),
    async release() {
      await holder.query('rollback')
      holder.release()
    },
  }
}

test('F36 while thirty lists wait, a status and any other change are stored at once', async () => {
  await using server = await startTestServer({}, await openTestDatabase({ crowded: true }))
  const { org, person, calls, call } = await onFloor(server, { wardens: 10 })
  const hold = await holdLists(server)
  const lists = Array.from({ length: 30 }, (_, n) => calls[n % 10]?.(getFloorData, {}))
  await hold.waiting(6)

  const status = await call(setPersonStatus, { body: { personId: person, floorId: org.floorUid, status: 'safe' } })
  const changed = server.db.selectFrom('session').select('selectedFloorUid').where('selectedFloorUid', 'is not', null)
  const change = calls[1]?.(changeFloor, { body: { floor: org.otherFloorUid } })

  expect(status.status).toBe('success')
  await expect.poll(() => changed.execute()).toEqual([{ selectedFloorUid: org.otherFloorUid }])
  await hold.release()
  expect(await Promise.all([...lists, change])).toHaveLength(31)
})

/** Counts the reads that want a turn, and those that get one. */
function countedTurns(limits: Parameters<typeof readTurns>[0]) {
  const inTurn = readTurns(limits)
  const count = { asked: 0, begun: 0 }
  const readInTurn: ReadInTurn = (isGone, read) => {
    count.asked += 1
    return inTurn(isGone, () => {
      count.begun += 1
      return read()
    })
  }
  return { readInTurn, count }
}

test('F36 API-72 a phone that comes while the line is too long gets 503, and is told when to come back', async () => {
  const { readInTurn, count } = countedTurns({ atOnce: 1, patienceMs: 1 })
  await using server = await startTestServer({ readInTurn })
  const { calls } = await onFloor(server, { wardens: 3 })
  const ask = (nth: number) => server.app.inject({ url: getFloorData.path, headers: bearer(calls[nth]?.token ?? '') })
  const hold = await holdLists(server)
  count.asked = 0
  const first = ask(0)
  await hold.waiting(1)
  const second = ask(1)
  await expect.poll(() => count.asked).toBe(2)
  const late = performance.now() + 5
  await expect.poll(() => performance.now()).toBeGreaterThan(late)

  const answer = await ask(2)

  expect([answer.statusCode, answer.json().error]).toEqual([503, 'unavailable'])
  expect(answer.json().retry_after).toBeGreaterThanOrEqual(2)
  expect(answer.headers['retry-after']).toBe(`${answer.json().retry_after}`)
  await hold.release()
  expect((await Promise.all([first, second])).map(({ statusCode }) => statusCode)).toEqual([200, 200])
  expect((await ask(2)).statusCode).toBe(200)
})

test('F36 the list of a phone that has hung up is not read', async () => {
  const { readInTurn, count } = countedTurns({ atOnce: 1 })
  await using server = await startTestServer({ readInTurn })
  const { calls, call } = await onFloor(server, { wardens: 2 })
  const url = new URL(await server.app.listen({ host: '127.0.0.1', port: 0 }))
  const hold = await holdLists(server)
  Object.assign(count, { asked: 0, begun: 0 })
  const first = call(getFloorData, {})
  await hold.waiting(1)

  const closed = new Promise((done) => server.app.server.once('connection', (socket) => socket.once('close', done)))
  const phone = connect(Number(url.port), url.hostname)
  phone.write(`GET ${getFloorData.path} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${calls[1]?.token}\r\n\r\n`)
  await expect.poll(() => count.asked).toBe(2)
  phone.destroy()
  await closed
  await hold.release()
  await first
  await call(getFloorData, {})

  expect(count).toEqual({ asked: 3, begun: 2 })
})

test('F35 sessions that are looked up at the same time share statements, and each gets its own warden', async () => {
  await using server = await startTestServer()
  const org = await server.given.organisation()
  const wardens = []
  for (let n = 0; n < 30; n++) wardens.push(await server.given.warden(org, { firstName: `Warden ${n}` }))
  const calls = await Promise.all(wardens.map((warden) => server.as(warden)))
  const ended = await server.as(wardens[0] as (typeof wardens)[number], { revokedAt: new Date() })
  const tokens = [...calls.map(({ token }) => token), ended.token, 'x'.repeat(65)]

  const ask = (token: string) => server.app.inject({ url: getProfile.path, headers: bearer(token) })
  const answers = await Promise.all(tokens.map(ask))

  expect(answers.slice(0, 30).map((answer) => answer.json().Firstname)).toEqual(wardens.map((_, n) => `Warden ${n}`))
  expect(answers.slice(30).map(({ statusCode }) => statusCode)).toEqual([401, 401])
  const shown = await server.app.metrics.registry.metrics()
  const count = Number(/evac_batch_records_count\{kind="find_actor"\} (\d+)/.exec(shown)?.[1])
  expect(count).toBeLessThan(16)
})
