import { randomUUID } from 'node:crypto'
import { setTimeout as delay } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { silent } from '../hub/hub.fixture.ts'
import { openFeed, openJournal } from './feed.fixture.ts'
import { StandInRedis } from './redis.fixture.ts'
import { createRedisWakeUp } from './redis-wake-up.ts'
import { createPostgresWakeUp } from './wake-up.ts'

const eventually = <T>(read: () => T) => expect.poll(read, { timeout: 20_000, interval: 5 })
const floor = () => ({ action: 'floor_status_set', subjectUid: randomUUID(), eventUid: randomUUID() })
const never = 3_600_000

/**
 * Two processes with feeds that are woken by Redis or by the database and never poll. Also returns who else was
 * notified.
 */
async function openTwoProcesses() {
  await using opened = new AsyncDisposableStack()
  const journal = opened.use(await openJournal())
  const redis = opened.use(await StandInRedis.start())
  const openProcess = () =>
    openFeed(journal, {
      pollMs: never,
      wakeUp: createRedisWakeUp(redis.url, createPostgresWakeUp(journal.connection, silent), silent),
    })
  const here = opened.use(openProcess())
  const there = opened.use(openProcess())
  const { heard } = opened.use(await journal.listen())
  await Promise.all([here.feed.start(), there.feed.start()])
  await expect.poll(redis.subscribers).toBe(2)
  await expect.poll(journal.countListeners).toBe(2)
  const all = opened.move()
  return { journal, redis, here, there, heard, [Symbol.asyncDispose]: () => all.disposeAsync() }
}

test("HUB-32 an announcement wakes another process's feed through Redis, without using the database", async () => {
  await using opened = await openTwoProcesses()
  const { journal, redis, here, there, heard } = opened
  await announceUntil(here.feed, () => redis.published > 0)
  const noticed = await countWhenQuiet(heard)

  const xid = await journal.write(floor())
  here.feed.announce()

  await eventually(() => [here.offsets(), there.offsets()]).toEqual([[xid], [xid]])
  expect(heard.length).toBe(noticed)
})

test('HUB-32 the database wakes the others while Redis is away, and Redis again once it is back', async () => {
  await using opened = await openTwoProcesses()
  const { journal, redis, here, there, heard } = opened

  await redis.kill()
  const first = await journal.write(floor())
  here.feed.announce()
  await eventually(there.offsets).toEqual([first])
  await eventually(() => heard.length).toBeGreaterThan(0)

  await redis.start()
  await expect.poll(redis.subscribers).toBe(2)
  const taken = redis.published
  await announceUntil(here.feed, () => redis.published > taken)
  const noticed = await countWhenQuiet(heard)
  const second = await journal.write(floor())
  here.feed.announce()
  await eventually(there.offsets).toEqual([first, second])
  expect(heard.length).toBe(noticed)
})

test('HUB-32 a Redis that accepts everything and answers nothing is bypassed', async () => {
  await using opened = await openTwoProcesses()
  const { journal, redis, here, there } = opened
  await announceUntil(here.feed, () => redis.published > 0)

  redis.isSilent = true
  const xid = await journal.write(floor())
  here.feed.announce()

  await eventually(there.offsets).toEqual([xid])
})

/** The number received, once those in transit have arrived. */
async function countWhenQuiet(heard: readonly unknown[]) {
  for (let before = -1; before !== heard.length; ) {
    before = heard.length
    await delay(300)
  }
  return heard.length
}

/** The first announcement opens the connection for the later ones. */
async function announceUntil(feed: { announce: () => void }, isDone: () => boolean) {
  await expect
    .poll(() => {
      feed.announce()
      return isDone()
    })
    .toBe(true)
}
