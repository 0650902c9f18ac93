import { randomUUID } from 'node:crypto'
import { setTimeout as delay } from 'node:timers/promises'
import { expect, test } from 'vitest'
import type { Publication } from '#features/live-updates/calls/realtime.ts'
import { openBatches } from '../platform/db/batches.ts'
import { createMetrics } from '../platform/observability/metrics.ts'
import { type Journal, openJournal, serve, untold, type Written } from './feed/feed.fixture.ts'
import { ownTime, Phone } from './hub/hub.fixture.ts'

const eventually = <T>(read: () => T) => expect.poll(read, { timeout: 10_000, interval: 10 })
const unread = (subjectUid: string) => ({
  action: 'unread_changed',
  subjectUid,
  after: { warden_unread_msg: true },
})
const byNumber = (a = 0, b = 0) => a - b
const attendance = (eventUid: string) => ({ action: 'warden_reported_in', subjectUid: randomUUID(), eventUid })

test('RT-17 a committed change reaches the phones in its event, with the transaction as its offset', async () => {
  await using journal = await openJournal()
  await using server = await serve(journal)
  const [eventUid, other] = [randomUUID(), randomUUID()]
  using phone = new Phone(server.url, 's1', [`event:${eventUid}`])
  await phone.ready()

  await journal.write(attendance(other))
  const note = attendance(eventUid)
  const xid = await journal.write(note)
  server.feed.announce()

  await eventually(() => phone.received).toEqual([
    {
      status: 'ok',
      message: null,
      event: { status: true, ended_by: null },
      changed: [{ topic: 'attendance', ids: [note.subjectUid] }],
      at: xid,
    },
  ])
  expect(phone.offsets).toEqual([xid])
})

test.for(['session_ended', 'warden_off_duty', 'warden_removed', 'assignment_ended'])(
  'HUB-30 after %s the socket is closed within two seconds, and the client does not reconnect',
  async (action) => {
    await using journal = await openJournal()
    await using server = await serve(journal)
    const [eventUid, signIn] = [randomUUID(), randomUUID()]
    using phone = new Phone(server.url, signIn, [`event:${eventUid}`, `warden:${signIn}`])
    using other = new Phone(server.url, 's2', [`event:${eventUid}`])
    await Promise.all([phone.ready(), other.ready()])

    await journal.write({ action, subjectUid: signIn, eventUid })
    const sinceCommit = ownTime()
    server.feed.announce()

    await eventually(() => phone.log.at(-1)).toBe('disconnected 3503')
    expect(sinceCommit()).toBeLessThan(2000)
    expect([phone.tokensFetched, other.client.state]).toEqual([1, 'connected'])
  },
)

test('HUB-30 RT-22 EVENT-53 at the end of an event every phone is told, then disconnected within two seconds', async () => {
  await using journal = await openJournal()
  await using server = await serve(journal)
  const [eventUid, chief] = [randomUUID(), randomUUID()]
  const phones = ['s1', 's2', 's3'].map((sub) => new Phone(server.url, sub, [`event:${eventUid}`, `warden:${sub}`]))
  await Promise.all(phones.map((phone) => phone.ready()))

  await journal.write({
    action: 'event_ended',
    subjectType: 'event',
    subjectUid: eventUid,
    eventUid,
    actorSignInUid: chief,
  })
  const sinceCommit = ownTime()
  server.feed.announce()

  await eventually(() => phones.map((phone) => phone.log.at(-1))).toEqual(Array(3).fill('disconnected 3503'))
  expect(sinceCommit()).toBeLessThan(2000)
  for (const phone of phones) {
    expect(phone.received).toMatchObject([{ status: 'ok', message: null, event: { status: false, ended_by: chief } }])
  }
})

test('HUB-05 HUB-21 a hub killed and restarted among slow writers skips nothing and repeats nothing', {
  timeout: 30_000,
}, async () => {
  await using journal = await openJournal()
  const eventUid = randomUUID()
  let server = await serve(journal)
  const phones = Array.from({ length: 5 }, (_, at) => new Phone(server.url, `s${at}`, [`event:${eventUid}`]))
  await Promise.all(phones.map((phone) => phone.ready()))

  let kills = 0
  const writing = Promise.all(Array.from({ length: 6 }, () => writeSlowly(journal, eventUid, 25, () => kills < 3)))
  for (; kills < 3; kills++) {
    const had = phones.map((phone) => news(phone).length)
    // what waits is joined, so a phone may have heard of many changes at once
    await eventually(() => phones.every((phone, nth) => news(phone).length > (had[nth] ?? 0))).toBe(true)
    await server.kill()
    server = await serve(journal, { port: server.port })
  }
  const written = (await writing).flat().sort((a, b) => a.xid - b.xid)

  const last = written.at(-1)?.xid
  for (const phone of phones) {
    await eventually(() => phone.offsets.at(-1)).toBe(last)
    expect(phone.offsets).toEqual([...new Set(phone.offsets)].toSorted(byNumber))
    expect(untold(news(phone), written)).toEqual([])
  }
  expect(phones.flatMap((phone) => phone.log).filter((line) => line.endsWith('recovered=false'))).toEqual([])
  for (const phone of phones) phone[Symbol.dispose]()
  await server.kill()
})

/** Twenty wardens whose phones have one publication of their own and one of their event. Statements on the journal are counted. */
async function openPhones(journal: Journal) {
  const statements: string[] = []
  const db = journal.system.withPlugin({
    transformQuery: ({ node }) => {
      statements.push(JSON.stringify(node))
      return node
    },
    transformResult: async ({ result }) => result,
  })
  const { inBatch } = openBatches(async (statement) => (await statement.execute(db)).rows, createMetrics())
  const start = (port = 0) => serve(journal, { db, inBatch, port })
  const server = await start()
  const eventUid = randomUUID()
  const wardens = Array.from({ length: 20 }, () => randomUUID())
  const phones = wardens.map((uid) => new Phone(server.url, uid, [`warden:${uid}`, `event:${eventUid}`]))
  /** One transaction with an entry of each warden. */
  const tellEach = () => journal.write(...wardens.map(unread))
  const tellAll = () => journal.write(attendance(eventUid))
  await Promise.all(phones.map((phone) => phone.ready()))
  const seen = [await tellEach(), await tellAll()]
  server.feed.announce()
  for (const phone of phones) await eventually(() => phone.offsets).toEqual(seen)
  for (const { client } of phones) client.disconnect()
  await eventually(() => server.hub.counts().subscriptions).toBe(0)
  const missed = [await tellEach(), await tellAll(), await tellAll()]
  return {
    server,
    start,
    phones,
    missed,
    count: (name: string) => statements.filter((text) => text.includes(name)).length,
    async haveAll() {
      for (const phone of phones) await eventually(() => phone.offsets.toSorted(byNumber)).toEqual([...seen, ...missed])
    },
    [Symbol.dispose]() {
      for (const phone of phones) phone[Symbol.dispose]()
    },
  }
}

test('HUB-05 a phone that was away for a moment gets what it missed from the memory of the process', async () => {
  await using journal = await openJournal()
  using away = await openPhones(journal)
  await using server = away.server
  server.feed.announce()
  await eventually(() => server.feed.position()).toBe(away.missed.at(-1))

  for (const { client } of away.phones) client.connect()

  await away.haveAll()
  expect(away.count('list_event_entries') + away.count('missed_entries')).toBe(0)
})

test('HUB-05 phones that come back together after a restart share the readings of what they missed, and each gets all', async () => {
  await using journal = await openJournal()
  using away = await openPhones(journal)
  await away.server.kill()
  await using server = await away.start(away.server.port)

  const { unlock } = await journal.lockJournal()
  for (const { client } of away.phones) client.connect()
  await eventually(() => server.hub.counts().subscriptions).toBe(20)
  await unlock()

  await away.haveAll()
  expect(away.count('list_event_entries')).toBeLessThanOrEqual(4)
  expect(away.count('missed_entries')).toBeLessThanOrEqual(4)
})

const news = ({ received }: Phone) => received as Publication[]

/**
 * Transactions that stay open for a random time after their entry, so that they end in another order than they began.
 */
async function writeSlowly(
  journal: Journal,
  eventUid: string,
  count: number,
  goesOn: () => boolean = () => false,
): Promise<Written[]> {
  const written: Written[] = []
  for (let at = 0; at < count || goesOn(); at++) {
    const tx = await journal.begin()
    const note = attendance(eventUid)
    written.push({ xid: await tx.write(note), uid: note.subjectUid })
    await delay(Math.random() * 60)
    await tx.end('commit')
  }
  return written
}
