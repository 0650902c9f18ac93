import { setTimeout as delay } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { createEvent } from '#features/events/calls/events.ts'
import { writeBroadcastPage } from '#features/events/server/broadcast.queries.ts'
import { loginByMobile } from '#features/sign-in/calls/sign-in.ts'
import { inClients } from '#server/platform/db/db.ts'
import { type JobWork, openJobs } from '#server/platform/db/jobs.ts'
import { startInput } from '#server/testing/event-input.ts'
import { startTestServer, type TestServer } from '#server/testing/test-server.ts'
import { sendTexts, textsOn } from '#server/testing/texts.ts'
import { keepInboundText, passOnReplies } from './inbound/inbound.service.ts'
import { provider, rows, states, waitingTexts } from './sms.fixture.ts'
import type { TextSending } from './sms.service.ts'

const onTrouble = (error: unknown) => {
  throw error
}

/** A process that works, beside the one that answers calls. */
async function worker(
  server: TestServer,
  sweepMs?: number,
  over: Partial<TextSending> = {},
  chores: JobWork['chores'] = {},
) {
  const jobs = await openJobs(server.database.connection, { works: true, onTrouble })
  await jobs.work({
    nightly: async () => {},
    chores: {
      texts: { inJob: true, run: (stopping) => sendTexts(server, over, stopping) },
      ...chores,
    },
    ...(sweepMs && { sweepMs }),
  })
  return { sweepTexts: () => jobs.sweepTexts(), [Symbol.asyncDispose]: () => jobs.stop() }
}

test('F3 a requested link is on the phone within a second or two: its job wakes the worker', async () => {
  await using server = await startTestServer()
  await using _ = await worker(server)
  const { mobile } = await server.given.warden(await server.given.organisation())

  await server.stranger(loginByMobile, { body: { phone: mobile as string } })

  await expect.poll(() => textsOn(server, mobile), { timeout: 20_000 }).toHaveLength(1)
})

test('F3 what an earlier process left is sent when the next one starts', async () => {
  await using server = await startTestServer()
  await waitingTexts(server, 60)
  await server.database.owner.pg.query('delete from pgboss.job')

  await using _ = await worker(server, 60_000)

  await expect.poll(() => states(server), { timeout: 20_000 }).toEqual({ delivered: 60 })
})

test('F3 what no job tells of any more is found by the sweep', async () => {
  await using server = await startTestServer()
  await using _ = await worker(server, 100)
  await waitingTexts(server, 3)
  await expect.poll(() => states(server), { timeout: 20_000 }).toEqual({ delivered: 3 })

  await server.db.updateTable('sms').set({ status: 'queued', claimedUntil: new Date() }).execute()

  await expect.poll(() => states(server), { timeout: 20_000 }).toEqual({ delivered: 3 })
})

test('F4 texts that wait for a gateway are sent when it is back, not at the next sweep', async () => {
  await using server = await startTestServer()
  const { gateway, taken } = provider()
  await waitingTexts(server, 60)
  await using other = await worker(server, 60_000, { gateway })
  await expect.poll(() => states(server), { timeout: 20_000 }).toEqual({ handed_over: 60 })
  await server.db.updateTable('sms').set({ status: 'queued', claimedUntil: null }).execute()

  other.sweepTexts()

  await expect.poll(() => taken.length, { timeout: 20_000 }).toBe(120)
})

test('AUTH-07 a change that is rolled back leaves neither a text nor a job', async () => {
  await using server = await startTestServer()
  const org = await server.given.organisation()
  await server.given.occupants(org, 2)
  const manager = await server.as(await server.given.warden(org, { role: 'Chief Warden' }))
  const { pg } = server.database.owner
  const jobs = async () => (await pg.query('select data from pgboss.job')).rows
  const start = () => manager(createEvent, startInput(org, { broadcastMessage: 'yes' }))

  await pg.query(`
    create function fail() returns trigger language plpgsql as $$ begin raise 'at the very end'; end $$;
    create constraint trigger last_moment after insert on broadcast deferrable initially deferred
      for each row execute function fail()`)
  await expect(start()).rejects.toMatchObject({ status: 500 })
  expect([await writeBroadcastPage(server.db), await rows(server), await jobs()]).toEqual([false, [], []])

  await pg.query('drop trigger last_moment on broadcast')
  const { event } = await start()
  await writeBroadcastPage(server.db)
  expect([(await rows(server)).length, await jobs()]).toEqual([2, [{ data: { event_uid: event?.id } }]])
})

test("T1 the role of the application may put jobs in and read no one else's", async () => {
  await using server = await startTestServer()
  const { clientUid } = await server.given.organisation()
  const enqueue = inClients(server.app.db, [clientUid], (tx) => server.app.jobs.enqueue(tx, 'texts', { of: clientUid }))
  await expect(enqueue).resolves.toBeUndefined()

  await expect(server.database.tenant.pg.query('select data from pgboss.job_common')).rejects.toMatchObject({
    code: '42501',
  })
})

test('MSG-36 AMB-129 a reply is passed on while a send goes on that takes minutes', async () => {
  await using server = await startTestServer()
  const send = Promise.withResolvers<void>()
  const passedOn: string[] = []
  const replies = () => passOnReplies(server.db, async ({ body }) => passedOn.push(body), onTrouble)
  await using _ = await worker(
    server,
    60_000,
    {},
    {
      texts: { inJob: true, run: () => send.promise },
      replies: { inJob: true, run: replies },
    },
  )
  using _end = { [Symbol.dispose]: send.resolve }

  for (const body of ['2', '1']) {
    await keepInboundText(server.app, { gateway: 'smpp', from: '61491570156', body })
    await expect.poll(() => passedOn.at(-1), { timeout: 10_000 }).toBe(body)
  }
})

test('F3 a worker that is told to stop ends what it has begun; the rest waits for the next one', async () => {
  await using server = await startTestServer()
  await waitingTexts(server, 1_000)
  const begun = Promise.withResolvers<void>()
  const { gateway, taken } = provider(async (_, nth) => {
    if (nth === 150) begun.resolve()
    await delay(100)
  })
  const first = await worker(server, 60_000, { gateway })
  await begun.promise

  await first[Symbol.asyncDispose]()

  const { handed_over: sent = 0, queued = 0 } = await states(server)
  expect([sent + queued, sent]).toEqual([1_000, taken.length])
  expect(sent).toBeLessThan(600)
  await using _next = await worker(server, 60_000, { gateway })
  await expect.poll(() => states(server), { timeout: 20_000 }).toEqual({ handed_over: 1_000 })
  expect(taken).toHaveLength(1_000)
})
