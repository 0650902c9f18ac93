import { randomUUID } from 'node:crypto'
import { setTimeout as delay } from 'node:timers/promises'
import { sql } from 'kysely'
import { expect, test } from 'vitest'
import type { Publication } from '#features/live-updates/calls/realtime.ts'
import { type Journal, openFeed, openJournal, type Written } from './feed.fixture.ts'
import { listEntries } from './feed.queries.ts'
import { recover } from './recovery.ts'

const eventually = <T>(read: () => T) => expect.poll(read, { timeout: 20_000, interval: 5 })
const eventUid = randomUUID()
const floor = () => ({ action: 'floor_status_set', subjectType: 'floor', subjectUid: randomUUID(), eventUid })
const never = 3_600_000
async function write(journal: Journal): Promise<Written> {
  const note = floor()
  return { xid: await journal.write(note), uid: note.subjectUid }
}

test('HUB-21 a slow transaction is never skipped: later commits wait for it', async () => {
  await using journal = await openJournal()
  await using reader = openFeed(journal)
  await reader.feed.start()
  const slow = await journal.begin()

  const [slowFloor, quickFloor] = [floor(), floor()]
  await slow.write(slowFloor)
  const quickXid = await journal.write(quickFloor)
  await eventually(() => reader.feed.state().heldBackSeconds).not.toBeNull()
  expect(reader.published).toEqual([])
  await slow.end('commit')

  await eventually(() => reader.published).toMatchObject([
    { offset: quickXid, data: { changed: [{ topic: 'floor', ids: [slowFloor.subjectUid, quickFloor.subjectUid] }] } },
  ])
})

test('HUB-21 entries that waited for another transaction are published when it ends, without an announcement', async () => {
  await using journal = await openJournal()
  await using reader = openFeed(journal, { pollMs: never })
  await reader.feed.start()
  const slow = await journal.begin()
  await slow.write({ action: 'never_heard_of', subjectUid: eventUid })

  const quickXid = await journal.write(floor())
  reader.feed.wake()
  await eventually(() => reader.feed.state().heldBackSeconds).not.toBeNull()
  await slow.end('commit')

  await eventually(reader.offsets).toEqual([quickXid])
})

test.for([
  ['FEED-01', 'open', 'that is open'],
  ['FEED-05', 'prepared', 'that was prepared and forgotten'],
] as const)('%s HUB-21 a transaction of another database delays nothing: one %s, %s', async ([, how]) => {
  await using journal = await openJournal()
  await using _ = await journal.openElsewhere(how)
  await using reader = openFeed(journal)
  await reader.feed.start()
  const written: number[] = []

  for (let n = 0; n < 3; n++) {
    written.push(await journal.write(floor()))
    await expect.poll(reader.offsets, { timeout: 1000, interval: 5 }).toEqual(written)
  }

  expect(reader.feed.state().heldBackSeconds).toBeNull()
  const { publications } = await recover(journal.system, `event:${eventUid}`, (written[0] as number) - 1, 10)
  expect(publications.map(({ offset }) => offset)).toEqual(written)
})

test('FEED-01 HUB-27 a transaction of another database that ends between snapshot and look never looks like a journal that went back', async () => {
  await using journal = await openJournal()
  const look = await journal.lookLate()
  await using _ = await journal.openElsewhere()
  await using reader = openFeed(journal)
  await reader.feed.start()
  const first = await journal.write(floor())
  await eventually(reader.offsets).toEqual([first])

  await look.begin()
  const second = await journal.write(floor())
  await eventually(() => reader.feed.state().heldBackSeconds).not.toBeNull()
  expect(await reader.feed.since(`event:${eventUid}`, first, 10)).toMatchObject({ isComplete: true })
  await look.end()

  await eventually(reader.offsets).toEqual([first, second])
  expect([reader.begun, reader.failures()]).toEqual([[], 0])
})

test.for([
  ['an open', 'open'],
  ['a prepared', 'prepared'],
] as const)(
  'FEED-02 FEED-05 %s transaction of the own database: after 10 s the sockets are closed, once, and nothing is lost',
  async ([, how]) => {
    await using journal = await openJournal()
    await using reader = openFeed(journal, { blindMs: 500 })
    await reader.feed.start()
    const forgotten = await journal.openHere(how)
    const written = await journal.write(floor())

    await eventually(() => reader.closed).toEqual([{ reason: 'the journal cannot be read' }])
    await eventually(() => reader.feed.state().heldBackSeconds).toBeGreaterThan(1)
    expect([reader.offsets(), reader.closed.length]).toEqual([[], 1])
    await forgotten[Symbol.asyncDispose]()

    await eventually(reader.offsets).toEqual([written])
    expect(reader.feed.state().heldBackSeconds).toBeNull()
  },
)

test('HUB-21 transaction ids are ordered as numbers, not as texts', async () => {
  await using journal = await openJournal()
  const signIn = randomUUID()
  for (const xid of ['100', '99', '9'])
    await journal.write({ action: 'warden_removed', subjectUid: signIn, eventUid, xid })

  const read = await listEntries(journal.system, { xid: 0, position: 0 }, 100, 10)
  const recovered = [`event:${eventUid}`, `warden:${signIn}`].map((channel) => recover(journal.system, channel, 0, 10))

  expect(read.map(({ xid }) => xid)).toEqual(['9', '99', '100'])
  for (const { publications } of await Promise.all(recovered)) {
    expect(publications.map(({ offset }) => offset)).toEqual([9, 99, 100])
  }
})

test('RT-17 RT-18 HUB-33 the unread state that was computed last wins, even if its transaction has the older id', async () => {
  await using journal = await openJournal()
  await using reader = openFeed(journal)
  await reader.feed.start()
  const [waiter, signIn] = [await journal.begin(), randomUUID()]
  const unread = (...from: string[]) => ({
    action: 'unread_changed',
    subjectUid: signIn,
    after: { unread_messages_from_wardens: from, warden_unread_msg: from.length > 0, evacuee_unread_msg: false },
  })

  const earlierXid = await waiter.write({ action: 'never_heard_of', subjectUid: signIn })
  await journal.write({ ...unread('bob'), after: { ...unread('bob').after, evacuee_unread_msg: true } })
  await journal.write(unread())
  await waiter.write(unread('bob', 'cas'))
  await waiter.end('commit')
  const last = await journal.write(unread('cas'))

  await eventually(() => reader.offsets().at(-1)).toBe(last)
  const unreadOf = ({ unread_messages_from_wardens: from }: Publication) => from
  expect(reader.published.map(({ data }) => unreadOf(data)).at(-1)).toEqual(['cas'])
  const { publications } = await recover(journal.system, `warden:${signIn}`, earlierXid - 1, 10)
  const told = publications.map(({ json }) => JSON.parse(json) as Publication)
  expect(told.map(unreadOf)).toEqual([['bob', 'cas'], ['bob', 'cas'], ['bob', 'cas'], ['cas']])
  const states = [...told, ...reader.published.map(({ data }) => data)]
  expect(states).toMatchObject(states.map(() => ({ warden_unread_msg: true, evacuee_unread_msg: false })))
})

test('FEED-06 HUB-23 what is read in one turn is one publication a channel; a crowded one gets four a second, and an alarm at once', async () => {
  await using journal = await openJournal()
  await using reader = openFeed(journal, { crowded: true })
  await reader.feed.start()
  const seen = (status: string) => ({
    action: 'evacuee_status_set',
    subjectType: 'evacuee',
    subjectUid: randomUUID(),
    eventUid,
    after: { status },
  })
  const writing = (async () => {
    for (const end = performance.now() + 1500; performance.now() < end; await delay(10))
      await journal.write(seen('safe'))
  })()
  await writing
  const apart = reader.times.slice(1).map((at, nth) => at - (reader.times[nth] ?? 0))
  expect(Math.min(...apart)).toBeGreaterThanOrEqual(249)
  expect(reader.times.length).toBeGreaterThan(3)

  const danger = seen('danger')
  const xid = await journal.write(danger)
  const since = performance.now()
  reader.feed.wake()

  await eventually(() => reader.offsets().at(-1)).toBe(xid)
  expect((reader.times.at(-1) ?? 0) - since).toBeLessThan(200)
})

test('HUB-21 a rolled-back change is never published', async () => {
  await using journal = await openJournal()
  await using reader = openFeed(journal)
  await reader.feed.start()

  const failed = await journal.begin()
  await failed.write(floor())
  await failed.end('rollback')
  const xid = await journal.write(floor())

  await eventually(reader.offsets).toEqual([xid])
})

test('HUB-22 the position is never the id of an empty transaction, because the database reuses such an id after a crash', async () => {
  await using journal = await openJournal()
  const xid = await journal.write(floor())
  const failed = await journal.begin()
  await failed.write(floor())
  await failed.end('rollback')
  await journal.settled(xid + 1)

  await using reader = openFeed(journal)
  await reader.feed.start()
  expect(reader.feed.position()).toBe(xid)

  const next = await journal.write(floor())
  const failedAgain = await journal.begin()
  const lost = await failedAgain.write(floor())
  await failedAgain.end('rollback')
  await journal.settled(lost)
  await eventually(reader.offsets).toEqual([next])
  expect(reader.feed.position()).toBe(next)
})

test('HUB-22 a feed starts at the newest finished transaction and replays nothing', async () => {
  await using journal = await openJournal()
  await journal.settled(await journal.write(floor()))
  await using reader = openFeed(journal)

  await reader.feed.start()
  const later = await journal.write(floor())

  await eventually(reader.offsets).toEqual([later])
})

test('HUB-23 one transaction is one publication per channel, even if it spans two reads', async () => {
  await using journal = await openJournal()
  await using reader = openFeed(journal, { batchRows: 2 })
  await reader.feed.start()
  const signIn = randomUUID()
  const floors = [floor(), floor(), floor()]

  const first = await journal.write(floor(), floor(), ...floors)
  await eventually(reader.offsets).toEqual([first])
  const second = await journal.write({ action: 'warden_removed', subjectUid: signIn, eventUid }, floor())

  await eventually(() => reader.published.map(({ channel, offset }) => [channel, offset])).toEqual([
    [`event:${eventUid}`, first],
    [`event:${eventUid}`, second],
    [`warden:${signIn}`, second],
  ])
  expect(reader.published[0]?.data).toMatchObject({ changed: [{ topic: 'floor', ids: { length: 5 } }] })
})

test('HUB-24 unknown actions and odd values are not published and do not stop the feed', async () => {
  await using journal = await openJournal()
  await using reader = openFeed(journal)
  await reader.feed.start()
  const uid = randomUUID()

  await journal.write({ action: 'never_heard_of', subjectUid: uid, eventUid })
  for (const after of [
    'text',
    [1],
    5,
    { floor_uid: { a: 1 } },
    { warden_unread_msg: 'yes', unread_messages_from_wardens: 7 },
  ]) {
    await journal.write({ action: 'unread_changed', subjectUid: uid, after })
  }
  const last = await journal.write({ action: 'unread_changed', subjectUid: uid, after: { warden_unread_msg: true } })

  await eventually(() => reader.offsets().at(-1)).toBe(last)
  expect(new Set(reader.published.map(({ channel }) => channel))).toEqual(new Set([`warden:${uid}`]))
  expect(reader.published.at(-1)?.data).toMatchObject({ warden_unread_msg: true })
})

test('HUB-25 an evacuee who moved to another floor refreshes both floors', async () => {
  await using journal = await openJournal()
  await using reader = openFeed(journal)
  await reader.feed.start()
  const [person, was, is] = [randomUUID(), randomUUID(), randomUUID()]
  const moved = { subjectType: 'evacuee', subjectUid: person, before: { floor_uid: was }, after: { floor_uid: is } }

  await journal.write({ action: 'evacuee_status_set', eventUid, ...moved })

  await eventually(() => reader.published.map(({ data }) => data)).toMatchObject([
    {
      changed: [
        { topic: 'evacuee', ids: [person] },
        { topic: 'floor', ids: [is, was] },
      ],
    },
  ])
})

test('HUB-26 recovery returns on each channel exactly what was published live', async () => {
  await using journal = await openJournal()
  await using reader = openFeed(journal)
  await reader.feed.start()
  const start = reader.feed.position()
  const signIn = randomUUID()
  const ended = { action: 'event_ended', subjectType: 'event', subjectUid: eventUid, eventUid, actorSignInUid: signIn }
  // one after the other: what is read in one turn is joined
  for (const [notes, publications] of [
    [[floor(), floor()], 1],
    [[{ action: 'signed_in', subjectUid: signIn, eventUid }], 1],
    [[{ action: 'warden_removed', subjectUid: signIn, eventUid }], 3],
    [[ended], 4],
  ] as const) {
    await journal.write(...notes)
    await eventually(() => reader.published.length).toBe(publications)
  }

  for (const channel of [`event:${eventUid}`, `warden:${signIn}`, `event:${randomUUID()}`, 'event:', 'nonsense']) {
    const { publications, isComplete } = await reader.feed.since(channel, start, 10)
    const live = reader.published.filter((publication) => publication.channel === channel)
    expect(publications.map(({ offset, json }) => ({ channel, offset, data: JSON.parse(json) }))).toEqual(live)
    expect(isComplete).toBe(true)
  }
})

test('HUB-26 HUB-06 recovery is incomplete beyond the limit, or from an offset that was never issued', async () => {
  await using journal = await openJournal()
  await using reader = openFeed(journal)
  await reader.feed.start()
  const start = reader.feed.position()
  for (let at = 0; at < 3; at++) {
    await journal.write(floor())
    await eventually(() => reader.published.length).toBe(at + 1)
  }
  const since = async (offset: number, limit: number) => {
    const { publications, isComplete } = await reader.feed.since(`event:${eventUid}`, offset, limit)
    return [publications.length, isComplete]
  }

  expect(await since(start, 3)).toEqual([3, true])
  expect(await since(start, 2)).toEqual([2, false])
  expect(await since(start + 1_000_000, 3)).toEqual([0, false])
})

test('HUB-28 the feed retries while the journal cannot be read, and then skips nothing', async () => {
  await using journal = await openJournal()
  await using reader = openFeed(journal)
  await reader.feed.start()

  await sql`revoke select on journal from evac_system`.execute(journal.owner)
  const written = [await write(journal), await write(journal)]
  await eventually(() => reader.feed.state().failures).toBeGreaterThan(1)
  await sql`grant select on journal to evac_system`.execute(journal.owner)

  await eventually(() => reader.untold(written)).toEqual([])
  expect([reader.begun.length, reader.feed.state().failures]).toEqual([0, 0])
})

test('HUB-28 sockets are closed once per long interruption of the journal', async () => {
  await using journal = await openJournal()
  await using reader = openFeed(journal, { blindMs: 2000 })
  await reader.feed.start()
  const goBlind = async (failures: number) => {
    await sql`revoke select on journal from evac_system`.execute(journal.owner)
    await eventually(() => reader.feed.state().failures).toBeGreaterThanOrEqual(failures)
    await sql`grant select on journal to evac_system`.execute(journal.owner)
    await eventually(() => reader.feed.state().failures).toBe(0)
  }
  const sentOff = { reason: 'the journal cannot be read' }

  await goBlind(1)
  expect(reader.closed).toEqual([])
  await goBlind(6)
  expect(reader.closed).toEqual([sentOff])
  await goBlind(6)
  expect(reader.closed).toEqual([sentOff, sentOff])
})

test('REC2-09 a long interruption is told when it is over, again until it could be noted; a short one is not', async () => {
  const told: { fromMsAgo: number; toMsAgo: number }[] = []
  let refusals = 1
  await using journal = await openJournal()
  await using reader = openFeed(journal, {
    blindMs: 1000,
    noteGap: async (gap) => {
      if (refusals-- > 0) throw new Error('only reads')
      told.push(gap)
    },
  })
  await reader.feed.start()
  const goBlind = async (isLong: () => boolean) => {
    await sql`revoke select on journal from evac_system`.execute(journal.owner)
    await eventually(() => reader.feed.state().failures).toBeGreaterThanOrEqual(1)
    await eventually(isLong).toBe(true)
    await sql`grant select on journal to evac_system`.execute(journal.owner)
    await eventually(() => reader.feed.state().failures).toBe(0)
  }

  await goBlind(() => true)
  expect([told.length, refusals]).toEqual([0, 1])
  await goBlind(() => reader.closed.length === 1)

  await eventually(() => told.length).toBe(1)
  const [gap] = told
  expect((gap?.fromMsAgo ?? 0) - (gap?.toMsAgo ?? 0)).toBeGreaterThanOrEqual(1000)
})

test('HUB-28 broken connections lose nothing', async () => {
  await using journal = await openJournal()
  await using reader = openFeed(journal, { pollMs: 5 })
  await reader.feed.start()
  const written: Written[] = []

  for (let round = 0; round < 20; round++) {
    if (round % 5 === 0) await journal.cut('evac_system')
    written.push(await write(journal))
  }

  await eventually(() => reader.untold(written)).toEqual([])
  expect(reader.offsets()).toEqual([...new Set(reader.offsets())].toSorted((a, b) => a - b))
})

test('HUB-27 a feed that reconnects to another database starts a new epoch', async () => {
  await using journal = await openJournal()
  await using reader = openFeed(journal)
  await reader.feed.start()
  const before = reader.feed.epoch()

  await sql`revoke select on journal from evac_system`.execute(journal.owner)
  await eventually(() => reader.feed.state().failures).toBeGreaterThan(0)
  await journal.owner.updateTable('feedEpoch').set({ systemIdentifier: 'elsewhere/1/1' }).execute()
  await sql`grant select on journal to evac_system`.execute(journal.owner)

  await eventually(() => reader.feed.epoch()).not.toBe(before)
  await eventually(() => reader.begun).toEqual([reader.feed.epoch()])
})

test('HUB-27 F34 a failover without a failed read is detected: all clients move to a new epoch', async () => {
  await using journal = await openJournal()
  const promote = await journal.takeTimelineFromTable()
  await using reader = openFeed(journal)
  await reader.feed.start()
  const before = reader.feed.epoch()

  await promote()
  const written = await journal.write(floor())

  await eventually(() => reader.feed.epoch()).not.toBe(before)
  await eventually(() => reader.begun).toEqual([reader.feed.epoch()])
  const next = await journal.write(floor())
  await eventually(() => reader.offsets().at(-1)).toBe(next)
  expect(reader.feed.position()).toBeGreaterThan(written)
})

test('HUB-21 F34 a horizon read from the old primary does not count on the new one', async () => {
  await using journal = await openJournal()
  const before = await journal.write(floor())
  await journal.settled(before)
  const slow = await journal.begin()
  const slowXid = await slow.write(floor())
  const quickXid = await journal.write(floor())
  const read = async () => {
    const entries = await listEntries(journal.system, { xid: 0, position: 0 }, quickXid, 10)
    return entries.map(({ xid }) => Number(xid))
  }

  const during = await read()
  await slow.end('commit')
  await journal.settled(quickXid)

  expect([during, await read()]).toEqual([[before], [before, slowXid, quickXid]])
})
