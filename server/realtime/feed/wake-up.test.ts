import { randomUUID } from 'node:crypto'
import { expect, test, vi } from 'vitest'
import { openFeed, openJournal } from './feed.fixture.ts'

const eventually = <T>(read: () => T) => expect.poll(read, { timeout: 20_000, interval: 5 })
const floor = () => ({ action: 'floor_status_set', subjectUid: randomUUID(), eventUid: randomUUID() })
const never = 3_600_000

test("HUB-29 an announcement wakes another process's feed, also after its connection broke", async () => {
  await using journal = await openJournal()
  await using here = openFeed(journal, { pollMs: never })
  await using there = openFeed(journal, { pollMs: never })
  await Promise.all([here.feed.start(), there.feed.start()])
  await expect.poll(journal.countListeners).toBe(2)

  const first = await journal.write(floor())
  here.feed.announce()
  await eventually(() => [here.offsets(), there.offsets()]).toEqual([[first], [first]])
  await journal.cut('evac_feed')
  await expect.poll(journal.countListeners).toBe(2)
  const second = await journal.write(floor())
  here.feed.announce()

  await eventually(() => [here.offsets(), there.offsets()]).toEqual([
    [first, second],
    [first, second],
  ])
})

test('HUB-29 a process without a feed wakes the others', async () => {
  await using journal = await openJournal()
  await using there = openFeed(journal, { pollMs: never })
  await using api = openFeed(journal)
  await there.feed.start()
  await expect.poll(journal.countListeners).toBe(1)

  const xid = await journal.write(floor())
  api.feed.announce()

  await eventually(there.offsets).toEqual([xid])
})

test('HUB-29 a busy process sends at most one notice per 20 ms', async () => {
  await using journal = await openJournal()
  await using reader = openFeed(journal)
  await reader.feed.start()
  await using listener = await journal.listen()
  await expect.poll(journal.countListeners).toBe(1)

  await announceFor(200, reader.feed)
  await eventually(() => listener.heard.length).toBeGreaterThan(2)

  expect(listener.heard.length).toBeLessThanOrEqual(200 / 20 + 1)
})

test('HUB-29 one notice at a time: announcements during a notice share the next one', async () => {
  await using journal = await openJournal()
  const gate = await journal.holdNotices()
  await using reader = openFeed(journal)
  await reader.feed.start()
  await using listener = await journal.listen()
  const warned = vi.spyOn(process, 'emitWarning')

  reader.feed.announce()
  await expect.poll(() => journal.countWaiting('advisory')).toBe(1)
  await announceFor(100, reader.feed)
  await gate.open()

  await eventually(() => listener.heard).toHaveLength(2)
  expect(warned).not.toHaveBeenCalled()
})

test('HUB-29 without an announcement the poll finds the change', async () => {
  await using journal = await openJournal()
  await using reader = openFeed(journal, { wakeUp: { start() {}, announce() {}, async stop() {} } })
  await reader.feed.start()

  const xid = await journal.write(floor())

  await eventually(reader.offsets).toEqual([xid])
})

/** Behaves like a process that commits all the time. */
async function announceFor(ms: number, feed: { announce: () => void }) {
  const startedAt = performance.now()
  while (performance.now() - startedAt < ms) {
    feed.announce()
    await new Promise(setImmediate)
  }
}
