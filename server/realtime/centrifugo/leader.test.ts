import { randomUUID } from 'node:crypto'
import { setTimeout as delay } from 'node:timers/promises'
import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { type Journal, openJournal, untold, type Written } from '../feed/feed.fixture.ts'
import { findPosition } from './centrifugo.queries.ts'
import { StandInCentrifugo, startLeader } from './leader.fixture.ts'

const eventually = <T>(read: () => T) => expect.poll(read, { timeout: 20_000, interval: 10 })
const eventUid = randomUUID()
const channel = `event:${eventUid}`
const attendance = () => ({ action: 'warden_reported_in', subjectUid: randomUUID(), eventUid })
const leads = (journal: Journal) =>
  eventually(async () => (await findPosition(journal.system)) !== undefined).toBe(true)

/** Which of these changes the channel does not tell of. */
const missing = (standIn: StandInCentrifugo, written: readonly Written[]) =>
  untold(
    standIn.published(channel).map(({ data }) => data),
    written,
  )

async function change(journal: Journal): Promise<Written> {
  const note = attendance()
  return { xid: await journal.write(note), uid: note.subjectUid }
}

async function start() {
  const journal = await openJournal()
  const standIn = new StandInCentrifugo()
  const leader = startLeader(journal, standIn)
  await leads(journal)
  return { journal, standIn, leader }
}

/** Writes until `isOver`, and returns who was written. */
async function writeUntil(journal: Journal, isOver: () => boolean) {
  const written: Written[] = []
  while (!isOver()) {
    written.push(await change(journal))
    await delay(5)
  }
  return written
}

test('LIVE-03 LIVE-04 a change reaches its channel with its transaction as `at`, as the version, and in the epoch of the journal', async () => {
  const { journal, standIn, leader } = await start()
  await using _ = journal
  const note = attendance()

  const xid = await journal.write(note)
  leader.announce()

  await eventually(() => standIn.published(channel)).toMatchObject([
    { data: { status: 'ok', changed: [{ topic: 'attendance', ids: [note.subjectUid] }], at: xid }, version: xid },
  ])
  expect(standIn.published(channel)[0]?.version_epoch).toBe((await findPosition(journal.system))?.epoch)
  await eventually(async () => (await findPosition(journal.system))?.xid).toBe(xid)
})

test('LIVE-03 what piled up is one publication a channel: no later one can pass one that failed', async () => {
  const { journal, standIn, leader } = await start()
  await using _ = journal
  await leader.stop()
  const written = [await change(journal), await change(journal), await change(journal)]
  const failing = `event:${randomUUID()}`
  await journal.write({ ...attendance(), eventUid: failing.slice(6) })
  let failures = 3
  standIn.fails = (command) => 'publish' in command && command.publish.channel === channel && failures-- > 0

  startLeader(journal, standIn)

  await eventually(() => standIn.channels().toSorted()).toEqual([channel, failing].toSorted())
  expect(missing(standIn, written)).toEqual([])
})

test('LIVE-03 with a third of its commands failing and its leaders killed in turn, nothing is lost, doubled or out of order', {
  timeout: 60_000,
}, async () => {
  const { journal, standIn } = await start()
  await using _ = journal
  startLeader(journal, standIn)
  let isOver = false
  standIn.fails = () => Math.random() < 0.3
  const writing = Promise.all([1, 2, 3].map(() => writeUntil(journal, () => isOver)))

  for (let kills = 0; kills < 4; kills++) {
    await delay(700)
    await journal.cut('evac_leader')
  }
  isOver = true
  const written = (await writing).flat()

  await eventually(() => missing(standIn, written)).toEqual([])
  const told = standIn.published(channel).map(({ data }) => data.at ?? 0)
  expect(told).toEqual([...new Set(told)].toSorted((a, b) => a - b))
})

test('LIVE-03 a leader that cannot reach Centrifugo lets another process try, which goes on at the position', async () => {
  const journal = await openJournal()
  await using _ = journal
  const [unreachable, reachable] = [new StandInCentrifugo(), new StandInCentrifugo()]
  startLeader(journal, unreachable)
  await leads(journal)
  unreachable.isAway = true
  const written = await change(journal)
  await eventually(() => unreachable.requests).toBeGreaterThan(0)

  startLeader(journal, reachable)

  await eventually(() => missing(reachable, [written])).toEqual([])
})

test('LIVE-03 a transaction of more entries than a page is told whole', async () => {
  const { journal, standIn } = await start()
  await using _ = journal
  const notes = Array.from({ length: 1500 }, (_, nth) => ({
    action: 'message_sent',
    subjectUid: randomUUID(),
    after: { warden_unread_msg: nth % 2 === 0 },
  }))

  await journal.write(...notes)

  await eventually(() => standIn.channels().length).toBe(1500)
})

test.for(['session_ended', 'warden_off_duty', 'warden_removed', 'assignment_ended'])(
  'LIVE-05 after %s the sockets of the participation are closed, twice, the first within two seconds',
  async (action) => {
    const { journal, standIn, leader } = await start()
    await using _ = journal
    const signIn = randomUUID()

    await journal.write({ action, subjectUid: signIn, eventUid })
    const since = performance.now()
    leader.announce()

    await eventually(() => standIn.closed(signIn).length).toBeGreaterThan(0)
    expect(performance.now() - since).toBeLessThan(2000)
    await eventually(() => standIn.closed(signIn)).toMatchObject([
      { disconnect: { disconnect: { code: 3503 } } },
      { disconnect: { disconnect: { code: 3503 } } },
    ])
  },
)

test('LIVE-05 a leader that takes over closes what the one before may have left open', async () => {
  const { journal, standIn, leader } = await start()
  await using _ = journal
  const signIn = randomUUID()
  await journal.write({ action: 'session_ended', subjectUid: signIn })
  await eventually(() => standIn.closed(signIn).length).toBe(1)
  await leader.stop()

  startLeader(journal, standIn)

  await eventually(() => standIn.closed(signIn).length).toBeGreaterThan(1)
})

test('LIVE-04 another history of the database: every phone of a running event reads everything again, and publications go on', async () => {
  const { journal, standIn, leader } = await start()
  await using _ = journal
  const running = await givenEvent(journal)
  await leader.stop()
  await sql`update feed_epoch set system_identifier = 'restored'`.execute(journal.owner)

  startLeader(journal, standIn)

  await eventually(() => standIn.published(`event:${running}`)).toMatchObject([
    { data: { status: 'ok', event: { status: true }, refetch: true } },
  ])
  const written = await change(journal)
  await eventually(() => missing(standIn, [written])).toEqual([])
})

test('LIVE-04 a position beyond the newest transaction is of another history', async () => {
  const { journal, standIn, leader } = await start()
  await using _ = journal
  const running = await givenEvent(journal)
  await leader.stop()
  const before = (await findPosition(journal.system))?.epoch
  await sql`update centrifugo_position set xid = '900000000000'`.execute(journal.owner)

  startLeader(journal, standIn)

  await eventually(() => standIn.published(`event:${running}`)).toMatchObject([{ data: { refetch: true } }])
  const written = await change(journal)
  await eventually(() => missing(standIn, [written])).toEqual([])
  expect((await findPosition(journal.system))?.epoch).not.toBe(before)
})

test('LIVE-07 FEED-02 after a time behind an open transaction every phone is told to ask, once, and nothing is lost', async () => {
  const journal = await openJournal()
  await using _ = journal
  const standIn = new StandInCentrifugo()
  const gaps: unknown[] = []
  startLeader(journal, standIn, { blindMs: 500, noteGap: async (gap) => gaps.push(gap) })
  await leads(journal)
  const running = await givenEvent(journal)
  const written: Written[] = []
  {
    await using _ = await journal.openHere()
    written.push(await change(journal))
    await eventually(() => standIn.published(`event:${running}`)).toMatchObject([{ data: { refetch: true } }])
    expect(missing(standIn, written)).toEqual(written)
  }

  await eventually(() => missing(standIn, written)).toEqual([])
  expect(standIn.published(`event:${running}`)).toHaveLength(1)
  await eventually(() => gaps.length).toBe(1)
})

test('LIVE-07 the position says each second that all is well, and stops saying so while Centrifugo is away', async () => {
  const { journal, standIn } = await start()
  await using _ = journal
  const age = async () => (await findPosition(journal.system))?.secondsAgo ?? 99
  await delay(2500)
  expect(await age()).toBeLessThan(2)

  standIn.isAway = true
  await journal.write(attendance())

  await eventually(age).toBeGreaterThan(3)
  standIn.isAway = false
  await eventually(age).toBeLessThan(2)
})

async function givenEvent({ owner }: Journal) {
  const { rows } = await sql<{ uid: string }>`
    with site as (
      insert into site (client_uid, code, name, timezone) select uid, 's', 'S', 'UTC' from client returning client_uid, uid
    ), type as (
      insert into event_type (client_uid, code, type) select uid, 'f', 'Fire' from client returning uid
    )
    insert into event (client_uid, site_uid, event_type_uid, message, broadcast, alert)
    select site.client_uid, site.uid, type.uid, 'Leave', false, false from site, type returning uid`.execute(owner)
  return rows[0]?.uid as string
}
