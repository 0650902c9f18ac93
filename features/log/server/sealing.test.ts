import { randomBytes } from 'node:crypto'
import { setTimeout as delay } from 'node:timers/promises'
import { sql } from 'kysely'
import { expect } from 'vitest'
import { openPools } from '#server/testing/database.ts'
import {
  countJournal,
  endedDrill,
  everything,
  oldDrill,
  runningDrill,
  sealTo,
  sealWhole,
  writeEntry,
} from '#server/testing/event-log.ts'
import { test } from '#server/testing/server-test.ts'
import type { TestServer } from '#server/testing/test-server.ts'
import { linesOf } from './bundle.service.ts'
import { rootAt } from './heads.service.ts'
import { commitOf, journalLine } from './log-line.ts'
import { leafHash, MerkleTree, piecesOf } from './merkle.ts'
import { getLog, type LogOf } from './sealing.queries.ts'
import { sealDue, sealEvent } from './sealing.service.ts'

const fail = (error: unknown) => {
  throw error
}
const tilesOf = ({ db }: TestServer, { eventUid }: LogOf) =>
  db
    .selectFrom('logTile')
    .selectAll()
    .where('eventUid', '=', eventUid)
    .where('file', '=', 'journal')
    .orderBy('idx')
    .execute()

/** Positions of the event's journal in the order of the log. */
async function positionsOf({ db }: TestServer, eventUid: string) {
  const { rows } = await sql<{ position: number }>`
    select position from journal where event_uid = ${eventUid} order by action <> 'log_opened', xid, position`.execute(
    db,
  )
  return rows.map(({ position }) => position)
}
/** Entries that nothing else writes: so many of them. */
async function addEntries({ db }: Pick<TestServer, 'db'>, { clientUid, eventUid }: LogOf, count: number) {
  await sql`
    insert into journal (client_uid, event_uid, action, subject_type, subject_uid, after)
    select ${clientUid}, ${eventUid}, 'unread_changed', 'event', ${eventUid}, jsonb_build_object('nth', n)
    from generate_series(1, ${count}::int) n`.execute(db)
}

test('LOG-01 LOG-03 the log has each row of the event’s journal once, in order, and no row of another event', async ({
  server,
}) => {
  const { of, eventUid } = await endedDrill(server)
  await endedDrill(server)

  const size = await sealWhole(server, of)

  const tiles = await tilesOf(server, of)
  expect(tiles.flatMap(({ keys }) => keys)).toEqual(await positionsOf(server, eventUid))
  expect(size).toBe(await countJournal(server, eventUid))
  const log = await getLog(server.db, of)
  const lines: string[] = []
  for await (const line of linesOf(server.db, of, { file: 'journal', size, isInReach: everything })) lines.push(line)
  expect(lines).toHaveLength(size)
  const [opened, first, ...rest] = lines.map((line) => JSON.parse(line))
  expect(opened).toMatchObject({ salt: 'open', v: 2, n: 1, action: 'log_opened', subject: eventUid })
  expect(first).toMatchObject({ v: 2, n: 2, action: 'event_started', subject: eventUid })
  expect(
    journalLine(log, 2, {
      ...first,
      recordedAt: first.recorded_at,
      observedAt: first.observed_at,
      subjectType: first.subject_type,
      signIn: first.sign_in,
    }),
  ).toBe(lines[1])
  expect(rest.at(-1)).toMatchObject({ n: size, action: 'event_ended' })
  expect(tiles.flatMap(({ commits }) => piecesOf(commits))).toEqual(lines.map(commitOf))
  const tree = new MerkleTree()
  for (const line of lines) tree.add(leafHash(commitOf(line)))
  expect(await rootAt(server.db, of, size)).toEqual(tree.root())
})

test('LOG-04 what grows is appended: no commit changes, tiles hold 256, and a full one its hash', async ({
  server,
}) => {
  const { of, eventUid } = await runningDrill(server)
  const [before] = [await countJournal(server, eventUid)]
  await sealTo(server, of, before)
  const [first] = await tilesOf(server, of)

  for (const more of [250, 1, 300]) {
    await addEntries(server, of, more)
    await sealTo(server, of, await countJournal(server, eventUid))
  }

  const tiles = await tilesOf(server, of)
  expect(tiles.map(({ keys, hash }) => [keys.length, hash !== null])).toEqual([
    [256, true],
    [256, true],
    [before + 551 - 512, false],
  ])
  expect(tiles[0]?.commits.subarray(0, first?.commits.length)).toEqual(first?.commits)
  const tree = new MerkleTree()
  for (const commit of tiles.flatMap(({ commits }) => piecesOf(commits))) tree.add(leafHash(commit))
  expect(await rootAt(server.db, of, before + 551)).toEqual(tree.root())
})

test('LOG-04 nodes that seal at once append each row once, in order', async ({ server }) => {
  const { of, eventUid } = await runningDrill(server)
  await addEntries(server, of, 9_000)
  await using other = openPools(server.database.connection)

  const nodes = [server.db, other.system.db, server.db, other.system.db]
  await expect
    .poll(async () => Math.max(...(await Promise.all(nodes.map((db) => sealEvent(db, of)))).map(({ size }) => size)))
    .toBe(await countJournal(server, eventUid))

  expect((await tilesOf(server, of)).flatMap(({ keys }) => keys)).toEqual(await positionsOf(server, eventUid))
})

test('LOG-04 records go on while a node seals; one that is killed leaves nothing, and the next one seals all', async ({
  server,
}) => {
  const { of, eventUid, record } = await runningDrill(server)
  await sealTo(server, of, await countJournal(server, eventUid))
  await addEntries(server, of, 300)
  const { size } = await getLog(server.db, of)
  await using killed = openPools(server.database.connection)
  // holds the tile that is appended to, so that the node stands in the middle of its transaction
  await using holder = await holdTile(server, of)

  const sealing = sealUntilKilled(killed.system.db, of)
  await expect.poll(() => holder.waiting()).toBe(1)
  await record(0, 'in danger')
  await holder.kill()
  expect(await sealing).toMatch(/terminat/)
  await holder.release()

  expect((await getLog(server.db, of)).size).toBe(size)
  await sealTo(server, of, size + 301)
  expect((await tilesOf(server, of)).flatMap(({ keys }) => keys)).toEqual(await positionsOf(server, eventUid))
})

/** Other databases of the server may hold sealing back for a moment, so it is tried until it meets the lock. */
async function sealUntilKilled(db: TestServer['db'], of: LogOf): Promise<string> {
  for (;;) {
    const failed = await sealEvent(db, of).then(() => undefined, String)
    if (failed) return failed
    await delay(20)
  }
}

async function holdTile({ database }: TestServer, { eventUid }: LogOf) {
  const client = await database.owner.pg.connect()
  await client.query('begin')
  await client.query('select from log_tile where event_uid = $1 for update', [eventUid])
  const { rows } = await client.query('select pg_backend_pid() as pid')
  const waiters = `select pid from pg_stat_activity where ${rows[0].pid} = any (pg_blocking_pids(pid))`
  let isHeld = true
  const release = async () => {
    if (isHeld) await client.query('rollback')
    if (isHeld) client.release()
    isHeld = false
  }
  return {
    waiting: async () => (await database.owner.pg.query(waiters)).rows.length,
    kill: () => database.owner.pg.query(`select pg_terminate_backend(pid) from (${waiters}) w`),
    release,
    [Symbol.asyncDispose]: release,
  }
}

test('LOG-01 an open transaction holds sealing back, and its rows come before those of later ones', async ({
  server,
}) => {
  const { of, eventUid, record } = await runningDrill(server)
  await sealTo(server, of, await countJournal(server, eventUid))
  const { size } = await getLog(server.db, of)
  const slow = await server.db.startTransaction().execute()
  await writeEntry(slow, of, 'unread_changed', { slow: true })
  await record(0, 'in danger')

  const held = await sealEvent(server.db, of)
  await slow.commit().execute()

  expect(held).toEqual({ size, isWhole: false })
  await sealTo(server, of, size + 2)
  const keys = (await tilesOf(server, of)).flatMap(({ keys }) => keys)
  expect(keys).toEqual(await positionsOf(server, eventUid))
})

test('LOG-01 an ended event is whole when no transaction from before its end is open', async ({ server }) => {
  const { of, eventUid } = await runningDrill(server)
  const slow = await server.db.startTransaction().execute()
  await writeEntry(slow, of, 'unread_changed', {})
  await sql`update event set ended_at = now() where uid = ${eventUid}`.execute(server.db)
  await writeEntry(server.db, of, 'event_ended', {})

  const before = await sealEvent(server.db, of)
  await slow.commit().execute()

  expect(before.isWhole).toBe(false)
  expect(await sealWhole(server, of)).toBe(await countJournal(server, eventUid))
})

test('LOG-04 the worker finds running events, ended ones that no one sealed, and rows that come after the end', async ({
  server,
}) => {
  const [running, ended] = [await runningDrill(server), await oldDrill(server, 0)]
  const sizeOf = async (of: LogOf) => (await getLog(server.db, of).catch(() => undefined))?.size
  const due = async (of: LogOf, all?: boolean) => {
    await sealDue(server.db, fail, all)
    return sizeOf(of)
  }

  await expect.poll(() => due(running.of)).toBe(await countJournal(server, running.eventUid))
  expect(await sizeOf(ended.of)).toBeUndefined()
  await expect.poll(() => due(ended.of, true)).toBeGreaterThan(1)
  await expect.poll(() => due(ended.of, true)).toBe(await countJournal(server, ended.eventUid))
  await sql`update record_log set sealed_at = now() - interval '2 hours'`.execute(server.db)
  await writeEntry(server.db, ended.of, 'unread_changed', {})
  await expect.poll(() => due(ended.of, true)).toBe(await countJournal(server, ended.eventUid))
})

test('SEAL-02 each event has a secret of its own, and equal rows have other commits', async ({ server }) => {
  const [one, two] = [await endedDrill(server), await endedDrill(server)]
  await sealWhole(server, one.of)
  await sealWhole(server, two.of)

  const [first, second] = [await getLog(server.db, one.of), await getLog(server.db, two.of)]
  expect(first.saltSecret).toHaveLength(32)
  expect(first.saltSecret).not.toEqual(second.saltSecret)
  expect(first.saltSecret).not.toEqual(randomBytes(32))
})
