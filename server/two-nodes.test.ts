/** @module-tag long */
import { randomUUID } from 'node:crypto'
import { setTimeout as delay } from 'node:timers/promises'
import { sql } from 'kysely'
import { expect } from 'vitest'
import { setPersonStatus, toggleRefusal } from '#features/evacuation/calls/evacuation.ts'
import { getChannelToken, type Publication } from '#features/live-updates/calls/realtime.ts'
import { sendToEvacuee } from '#features/messaging/calls/messaging.ts'
import { annToBob, conversation, messageTexts } from '#features/messaging/server/messaging.fixture.ts'
import { login } from '#features/sign-in/calls/sign-in.ts'
import { rows, states, waitingTexts } from '#features/texts/server/sms.fixture.ts'
import type { Call } from '#kernel/client/client.ts'
import type { EventUid, FloorUid, PersonUid } from '#kernel/ids.ts'
import { untold } from './realtime/feed/feed.fixture.ts'
import { Phone } from './realtime/hub/hub.fixture.ts'
import { socketPath } from './realtime/realtime.ts'
import { startBalancer, startNode } from './testing/nodes.ts'
import { wrongTallies } from './testing/recount.ts'
import { testsWithServer } from './testing/server-test.ts'
import { type TestServer, withKey } from './testing/test-server.ts'
import { textsOn } from './testing/texts.ts'

/** A database and two nodes for the file; a test that kills a node starts its own. */
const test = testsWithServer().extend('nodes', { scope: 'file' }, async ({ server }, { onCleanup }) => {
  const nodes = await Promise.all([startNode(server.database), startNode(server.database)])
  onCleanup(async () => {
    for (const node of nodes) await node[Symbol.asyncDispose]()
  })
  return nodes
})

// nodes are started and killed: a busy machine may take its time
const patience = { timeout: 120_000 }
const eventually = <T>(read: () => T | Promise<T>) => expect.poll(read, { timeout: 60_000, interval: 20 })

test('HUB-29 RT-17 what is recorded at one node is on the phones at the other', patience, async ({ server, nodes }) => {
  const [a, b] = nodes
  const { eventUid, tokens, person, recordOf } = await givenEvent(server, 2)
  using phone = follow(b.url, b.call(tokens[1] as string), eventUid)
  await phone.ready()

  await a.call(tokens[0])(setPersonStatus, recordOf(person, 'in danger'))

  await eventually(() => phone.received.at(-1)).toMatchObject(tellsOf(person))
})

test('HUB-05 HUB-26 when nodes are killed nothing is left out, said twice or lost', {
  ...patience,
  tags: 'long',
}, async ({ server }) => {
  const { eventUid, tokens, people, recordOf } = await givenEvent(server, 8)
  await using a = await startNode(server.database)
  await using b = await startNode(server.database)
  await using balancer = await startBalancer([a.port, b.port])
  const phones = tokens.slice(0, 4).map((token) => follow(balancer.url, balancer.call(token), eventUid))
  await Promise.all(phones.map((phone) => phone.ready()))

  const load = startLoad(tokens.slice(4).map(balancer.call), people, recordOf)
  await load.more(100)
  await a.kill()
  await load.more(100)
  await using _again = await startNode(server.database, { PORT: String(a.port) })
  await b.kill()
  await load.more(100)
  await load.stop()

  const entries = await entriesOf(server, eventUid)
  expect(entries.map(({ key }) => key).sort()).toEqual(load.acknowledged.sort())
  // a publication may be of several records
  const last = Math.max(...entries.map(({ xid }) => xid))
  for (const phone of phones) {
    await eventually(() => phone.offsets.at(-1)).toBe(last)
    expect(untold(phone.received as Publication[], entries)).toEqual([])
    expect(phone.offsets).toEqual([...new Set(phone.offsets)].toSorted((one = 0, other = 0) => one - other))
  }
  expect(phones.flatMap(({ log }) => log).filter((line) => line.endsWith('recovered=false'))).toEqual([])
  for (const phone of phones) phone[Symbol.dispose]()
})

test(
  'FLOOR-17 a record whose node dies before it answers is there once; the other node gives its answer',
  patience,
  async ({ server, nodes: [b] }) => {
    const event = await givenEvent(server, 1)
    const { person } = event
    const record = [setPersonStatus, event.recordOf(person, 'in danger'), withKey()] as const

    const { lost, retried } = await dieWithin(server, event, b, (call) => call(...record))

    expect(lost).toBeInstanceOf(TypeError)
    expect(retried).toMatchObject({ status: 'success', person: { id: person, status: 'danger' } })
    expect(await server.journalOf(person)).toHaveLength(1)
  },
)

test(
  'F35 I5 two nodes record and flip refusals in batches about the same people at once: each once, counts right',
  patience,
  async ({ server, nodes }) => {
    const { org, eventUid, tokens, people } = await givenEvent(server, 8)
    const statuses = ['safe on floor', 'in danger', 'unknown']
    const wanted = Array.from({ length: 240 }, (_, i) => ({
      key: randomUUID(),
      person: people[(i * 7) % people.length] as PersonUid,
      call: (nodes[i % 2] as (typeof nodes)[number]).call(tokens[i % 8] as string),
      body: { status: statuses[i % 3] as string, floorId: org.floors[i % org.floors.length] as FloorUid },
    }))

    const records = wanted.map(({ call, key, person, body }) =>
      call(setPersonStatus, { body: { personId: person, ...body } }, withKey(key)),
    )
    const flips = wanted
      .slice(0, 120)
      .map(({ call, person }) => call(toggleRefusal, { body: { person, floorId: org.floorUid } }, withKey()))
    const answers = await Promise.all([...records, ...flips])

    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set(['success']))
    const flags = await Promise.all(people.map((person) => server.evacueeOf(eventUid, person)))
    expect(flags.filter((row) => row?.refused)).toEqual([]) // each person is asked six times
    expect((await entriesOf(server, eventUid)).map(({ key }) => key).sort()).toEqual(
      wanted.map(({ key }) => key).sort(),
    )
    expect(await wrongTallies(server.db, eventUid)).toEqual([])
  },
)

test(
  'F35 a node is killed with a batch on its way: what it acknowledged is there, and each record is there once',
  patience,
  async ({ server, nodes: [b] }) => {
    const { eventUid, tokens, people, recordOf } = await givenEvent(server, 10)
    await using a = await startNode(server.database)
    const records = people.map((person, i) => ({ token: tokens[i % 10] as string, person, key: randomUUID() }))
    const sendTo = (node: typeof b) =>
      Promise.allSettled(
        records.map(({ token, person, key }) =>
          node.call(token)(setPersonStatus, recordOf(person, 'in danger'), withKey(key)),
        ),
      )
    const row = await holdEvacuee(server, eventUid, people.at(-1) as PersonUid)
    const first = sendTo(a)
    await row.waiting(1)

    await a.kill()
    const acknowledged = (await first).flatMap(({ status }, i) => (status === 'fulfilled' ? [records[i]?.key] : []))
    expect((await entriesOf(server, eventUid)).map(({ key }) => key)).toEqual(expect.arrayContaining(acknowledged))
    expect(acknowledged.length).toBeLessThan(records.length)
    const again = sendTo(b)
    await row.waiting(2)
    await row.release()

    expect(new Set((await again).map(({ status }) => status))).toEqual(new Set(['fulfilled']))
    expect((await entriesOf(server, eventUid)).map(({ key }) => key).sort()).toEqual(
      records.map(({ key }) => key).sort(),
    )
    expect(await wrongTallies(server.db, eventUid)).toEqual([])
  },
)

test(
  'F35 FLOOR-50 refusals whose node dies before it answers are there once; the other node gives their answers',
  patience,
  async ({ server, nodes: [b] }) => {
    const event = await givenEvent(server, 1)
    const { org, eventUid, person } = event
    // the held person comes last, and so shares a statement
    const flips = [...event.people.slice(1, 4), person].map((one) => ({ one, key: withKey() }))
    const flipAll = (call: Call) =>
      Promise.all(
        flips.map(({ one, key }) => call(toggleRefusal, { body: { person: one, floorId: org.floorUid } }, key)),
      )

    const { lost, retried } = await dieWithin(server, event, b, flipAll)

    expect(lost).toBeInstanceOf(TypeError)
    expect(retried).toEqual(flips.map(() => ({ status: 'success', action: 'add' })))
    for (const { one } of flips) {
      expect(await server.evacueeOf(eventUid, one)).toMatchObject({ refused: true })
      expect(await server.journalOf(one)).toHaveLength(1)
    }
    expect(await wrongTallies(server.db, eventUid)).toEqual([])
  },
)

test('F3 the workers of two nodes take each text once', patience, async ({ server, nodes }) => {
  expect(nodes).toHaveLength(2)

  await Promise.all(Array.from({ length: 6 }, () => waitingTexts(server, 200)))

  await eventually(() => states(server)).toEqual({ delivered: 1200 })
  const sent = await server.db.selectFrom('simulatedText').select('uid').execute()
  expect(sent).toHaveLength(1200)
  expect((await rows(server)).filter(({ attempts }) => attempts !== 1)).toEqual([])
})

test(
  'API-58 a change whose node dies within its transaction is undone, then done once by the other node',
  patience,
  async ({ server, nodes: [b] }) => {
    const event = await givenEvent(server, 1)
    const body = { message: 'Are you safe?', receiverId: event.person, automated_response_message: 0 as const }
    const text = [sendToEvacuee, { body }, withKey()] as const

    const { lost, retried } = await dieWithin(server, event, b, (call) => call(...text))

    expect(lost).toBeInstanceOf(TypeError)
    expect(retried).toMatchObject({ status: 'message_sent' })
    const sent = server.db.selectFrom('message').select('text').where('eventUid', '=', event.eventUid)
    expect(await sent.execute()).toEqual([{ text: 'Are you safe?' }])
  },
)

test('UX-13 of two nodes one texts each message that no one opened', patience, async ({ server, nodes }) => {
  expect(nodes).toHaveLength(2)
  const c = await conversation(server)
  for (let nth = 10; nth < 40; nth++) await annToBob(c, `Message ${nth}`)

  await server.db.updateTable('message').set({ writtenAt: sql`steady_now() - interval '61 seconds'` }).execute()

  const words = Array.from({ length: 30 }, (_, nth) => `Message ${nth + 10}`)
  await eventually(async () => (await textsOn(server, c.bob.mobile)).sort()).toEqual(words)
  expect(await messageTexts(server, c.eventUid)).toHaveLength(30)
})

test('LOGIN-56 T11 guesses are counted over both nodes', patience, async ({ server, nodes: [a, b] }) => {
  // counts begin anew at each full five minutes
  const left = 300_000 - (Date.now() % 300_000)
  if (left < 10_000) await delay(left)
  const { email } = await server.given.warden(await server.given.organisation())
  const guess = (node: typeof a, password: string) => failureOf(node.call('')(login, { body: { email, password } }))

  for (let nth = 0; nth < 5; nth++)
    for (const node of [a, b]) expect(await guess(node, 'wrong password')).toMatchObject({ status: 400 })

  expect(await guess(a, 'evacuate1')).toMatchObject({ status: 429 })
  expect(await guess(b, 'evacuate1')).toMatchObject({ status: 429 })
})

test(
  'HUB-15 a node told to stop is not ready but serves, sends its phones on, ends what it began',
  patience,
  async ({ server, nodes: [b] }) => {
    const { eventUid, tokens, person, recordOf } = await givenEvent(server, 1)
    await using a = await startNode(server.database, { DRAIN_SECONDS: '2' })
    await using balancer = await startBalancer([a.port, b.port])
    using phone = follow(balancer.url, balancer.call(tokens[0]), eventUid)
    await phone.ready()
    const row = await holdEvacuee(server, eventUid, person)
    const begun = a.call(tokens[0])(setPersonStatus, recordOf(person, 'in danger'))
    await row.waiting(1)

    const stopped = a.stop()
    await eventually(() => statusAt(`${a.url}/health/ready`)).toBe(503)
    expect(await statusAt(`${a.url}/api/health`)).toBe(200)
    await eventually(() => phone.log).toContain('connecting 3001')
    await eventually(() => phone.log.at(-1)).toBe('subscribed recovered=true')
    await row.release()

    expect(await begun).toMatchObject({ status: 'success' })
    expect(await Promise.race([stopped, delay(10_000, 'still running')])).toBe(0)
    await eventually(() => phone.received.at(-1)).toMatchObject(tellsOf(person))
  },
)

/** An event with occupants on one floor and so many wardens on duty, each with a token that any node takes. */
async function givenEvent(server: TestServer, wardens: number) {
  const org = await server.given.organisation()
  const people = await server.given.occupants(org, 20)
  const made = await Promise.all(Array.from({ length: wardens }, () => server.given.warden(org)))
  const { eventUid } = await server.runningEvent(org)
  const tokens = await Promise.all(made.map(async (warden) => (await server.onDuty(warden)).token))
  return {
    org,
    people,
    person: people[0] as PersonUid,
    eventUid,
    tokens: tokens as [string, ...string[]],
    recordOf: (personId: PersonUid, status: string) => ({ body: { personId, floorId: org.floorUid, status } }),
  }
}

type Event = Awaited<ReturnType<typeof givenEvent>>

/** A node dies while the change waits for its row, before it could answer; the phone asks another for the same. */
async function dieWithin<T>(
  server: TestServer,
  { eventUid, person, tokens: [token] }: Event,
  other: Pick<Awaited<ReturnType<typeof startNode>>, 'call'>,
  change: (call: Call) => Promise<T>,
) {
  await using node = await startNode(server.database)
  const row = await holdEvacuee(server, eventUid, person)
  const lost = failureOf(change(node.call(token)))
  await row.waiting(1)
  await node.kill()
  const retried = change(other.call(token))
  await row.waiting(2)
  await row.release()
  return { lost: await lost, retried: await retried }
}

/** The official client at a node or a balancer, on the event's channel. */
const follow = (url: string, call: Call, eventUid: string) =>
  new Phone(`${url.replace('http', 'ws')}${socketPath}`, '', [`event:${eventUid}`], {
    getToken: async () => (await call(getChannelToken, {})).token,
  })

const tellsOf = (person: PersonUid) => ({
  changed: expect.arrayContaining([expect.objectContaining({ topic: 'evacuee', ids: [person] })]),
})
const failureOf = (call: Promise<unknown>) => call.catch((error: unknown) => error)
const statusAt = async (url: string) => (await fetch(url).catch(() => undefined))?.status
const holdEvacuee = async (server: TestServer, eventUid: EventUid, person: PersonUid) =>
  server.hold('evacuee', (await server.evacueeOf(eventUid, person))?.uid as string)

/** What was recorded under a key in the event. */
async function entriesOf({ db }: TestServer, eventUid: EventUid) {
  const entries = await db
    .selectFrom('journal')
    .select(['key', 'xid', 'subjectUid'])
    .where('eventUid', '=', eventUid)
    .where('key', 'is not', null)
    .execute()
  return entries.map(({ key, xid, subjectUid }) => ({ key, xid: Number(xid), uid: `${subjectUid}` }))
}

type RecordOf = (
  person: PersonUid,
  status: string,
) => { body: { personId: PersonUid; floorId: FloorUid; status: string } }

/** Wardens who record one status after another as a phone's outbox does: the same key until it is acknowledged. */
function startLoad(calls: Call[], people: PersonUid[], recordOf: RecordOf) {
  const acknowledged: string[] = []
  let isOver = false
  const statuses = ['safe on floor', 'in danger', 'unknown']
  const writing = calls.map(async (call, at) => {
    for (let nth = at; !isOver; nth++) {
      const key = randomUUID()
      const record = recordOf(people[nth % people.length] as PersonUid, statuses[nth % 3] as string)
      while (!(await call(setPersonStatus, record, withKey(key)).catch(() => undefined))) await delay(20)
      acknowledged.push(key)
      await delay(25) // a phone that is away may miss 500 before it must fetch anew
    }
  })
  return {
    acknowledged,
    /** Until so many more are acknowledged. */
    async more(count: number) {
      const goal = acknowledged.length + count
      await eventually(() => acknowledged.length).toBeGreaterThanOrEqual(goal)
    },
    async stop() {
      isOver = true
      await Promise.all(writing)
    },
  }
}
