import { randomUUID } from 'node:crypto'
import { createServer } from 'node:http'
import type { AddressInfo, Socket } from 'node:net'
import { sql } from 'kysely'
import pg from 'pg'
import { expect } from 'vitest'
import type { Publication } from '#features/live-updates/calls/realtime.ts'
import { type Db, openPool } from '../../platform/db/db.ts'
import { openTestDatabase } from '../../testing/database.ts'
import { type Forgotten, openTransaction } from '../../testing/open-transaction.ts'
import { key, silent } from '../hub/hub.fixture.ts'
import { createRealtime, type RealtimeOptions, socketPath } from '../realtime.ts'
import { openEpoch } from './epoch.ts'
import { Feed, type FeedOptions } from './feed.ts'
import { createPostgresWakeUp } from './wake-up.ts'

type Note = { action: string; subjectUid: string } & Partial<{
  subjectType: string
  eventUid: string
  actorSignInUid: string
  /** Writes the entry as if in that transaction. */
  xid: string
  before: unknown
  after: unknown
}>

/** A migrated database with one client, and a way to write to its journal. */
export async function openJournal() {
  const database = await openTestDatabase()
  const writers = openPool(database.connection, undefined, 10)
  const owner = writers.db
  const { database: name } = database.connection as { database: string }
  const clientUid = randomUUID()
  await owner.insertInto('client').values({ uid: clientUid, code: 'c', name: 'C', timezone: 'UTC' }).execute()

  /** Returns the id of the transaction it wrote in. */
  async function write(db: Db, ...notes: Note[]): Promise<number> {
    const rows = await db
      .insertInto('journal')
      .values(
        notes.map(({ subjectType = 'sign_in', before = null, after = null, ...note }) => ({
          clientUid,
          subjectType,
          before: JSON.stringify(before),
          after: JSON.stringify(after),
          ...note,
        })),
      )
      .returning('xid')
      .execute()
    return Number(rows[0]?.xid)
  }

  return {
    connection: database.connection,
    system: database.system.db,
    owner,
    write: (...notes: Note[]) => write(owner, ...notes),
    /** Waits until no older transaction is running. */
    async settled(xid: number) {
      const isFinished = async () => {
        const { rows } = await sql<{ done: boolean }>`
          select journal_horizon() > ${String(xid)}::xid8 as done`.execute(owner)
        return rows[0]?.done
      }
      await expect.poll(isFinished).toBe(true)
    },
    /** A transaction that stays open until it is told to end. */
    async begin() {
      const tx = await owner.startTransaction().execute()
      return {
        write: (...notes: Note[]) => write(tx, ...notes),
        end: (how: 'commit' | 'rollback') => tx[how]().execute(),
      }
    },
    /** A session of another database of the same server, whose transaction stays open. `prepared`: no session holds it. */
    openElsewhere: (how?: Forgotten) => openTransaction(undefined, how),
    /** The same in the own database. */
    openHere: (how?: Forgotten) => openTransaction(name, how),
    /** Connections opened from now on look too late, once told: no transaction that their snapshot has is found any more. */
    lookLate: () => lookLate(owner, name),
    /** No one reads the journal until `unlock`. */
    async lockJournal() {
      const tx = await owner.startTransaction().execute()
      await sql`lock table journal in access exclusive mode`.execute(tx)
      return { unlock: () => tx.commit().execute() }
    },
    /** Number of connections that wait for one kind of lock. */
    async countWaiting(waitEvent: string) {
      const { rows } = await sql<{ count: number }>`select count(*)::int as count from pg_stat_activity
        where datname = current_database() and wait_event = ${waitEvent}`.execute(owner)
      return rows[0]?.count
    },
    async countListeners() {
      const { rows } = await sql<{ count: number }>`select count(*)::int as count from pg_stat_activity
        where datname = current_database() and application_name = 'evac_feed' and query like 'listen%'`.execute(owner)
      return rows[0]?.count
    },
    /** Another process that receives the notifications. */
    async listen() {
      const client = new pg.Client(database.connection)
      const heard: unknown[] = []
      client.on('notification', (notice) => heard.push(notice))
      await client.connect()
      await client.query('listen evac_feed')
      return { heard, [Symbol.asyncDispose]: () => client.end() }
    },
    /** Holds back the notifications of connections opened from now on until the gate opens. */
    holdNotices: () => holdNotices(owner, name),
    /** Connections opened from now on read the timeline from a table, which a test can change as a failover would. */
    takeTimelineFromTable: () => takeTimelineFromTable(owner, name),
    /** Terminates every connection of one kind, as a database restart would. */
    async cut(applicationName: string) {
      await sql`select pg_terminate_backend(pid) from pg_stat_activity
        where datname = current_database() and application_name = ${applicationName}`.execute(owner)
    },
    async [Symbol.asyncDispose]() {
      await writers.close()
      await database[Symbol.asyncDispose]()
    },
  }
}
export type Journal = Awaited<ReturnType<typeof openJournal>>

async function holdNotices(owner: Db, database: string) {
  await sql`create function public.pg_notify(channel text, payload text) returns void language plpgsql as $$
    begin
      perform pg_advisory_xact_lock_shared(1);
      perform pg_catalog.pg_notify(channel, payload);
    end $$`.execute(owner)
  await preferPublic(owner, database)
  const holder = await owner.startTransaction().execute()
  await sql`select pg_advisory_xact_lock(1)`.execute(holder)
  return { open: () => holder.commit().execute() }
}

async function takeTimelineFromTable(owner: Db, database: string) {
  await sql`create table public.timeline as select left(pg_walfile_name(pg_current_wal_lsn()), 8) as name`.execute(
    owner,
  )
  await sql`grant select on public.timeline to public`.execute(owner)
  await sql`create function public.pg_walfile_name(pg_lsn) returns text language sql as
    'select name from public.timeline'`.execute(owner)
  await preferPublic(owner, database)
  return () => sql`update public.timeline set name = '0000000A'`.execute(owner)
}

async function lookLate(owner: Db, database: string) {
  await sql`create table public.too_late (n int)`.execute(owner)
  await sql`create view public.pg_stat_activity as select * from pg_catalog.pg_stat_activity
    where not exists (select from public.too_late)`.execute(owner)
  await sql`grant select on public.too_late, public.pg_stat_activity to public`.execute(owner)
  await preferPublic(owner, database)
  return {
    begin: () => sql`insert into public.too_late values (1)`.execute(owner),
    end: () => sql`delete from public.too_late`.execute(owner),
  }
}

/** New connections find what is in the schema public before those of PostgreSQL. */
const preferPublic = (owner: Db, database: string) =>
  sql`alter database ${sql.id(database)} set search_path = public, pg_catalog`.execute(owner)

/** A change: its transaction, and whom or what its entry is about. */
export interface Written {
  xid: number
  uid: string
}

/** Changes that the first publication from them on does not name. It may be of several transactions. */
export function untold(news: readonly Pick<Publication, 'at' | 'changed'>[], written: readonly Written[]): Written[] {
  return written.filter(({ xid, uid }) => {
    const first = news.find(({ at = 0 }) => at >= xid)
    return !first?.changed?.some(({ ids }) => ids.length === 0 || ids.includes(uid))
  })
}

/** A feed on the journal that records what it tells the hub. */
export function openFeed(
  journal: Journal,
  { crowded = false, ...options }: Partial<FeedOptions> & { crowded?: boolean } = {},
) {
  const times: number[] = []
  const published: { channel: string; offset: number; data: Publication }[] = []
  const closed: unknown[] = []
  const begun: string[] = []
  const errors: unknown[] = []
  const feed = new Feed({
    db: journal.system,
    openEpoch: () => openEpoch(journal.system),
    wakeUp: createPostgresWakeUp(journal.connection, silent),
    log: Object.assign(Object.create(silent), { error: (error: unknown) => errors.push(error) }),
    pollMs: 20,
    hub: {
      listeners: () => (crowded ? 501 : 500),
      publish: (channel, offset, json) => {
        times.push(performance.now())
        published.push({ channel, offset, data: JSON.parse(json) })
      },
      disconnect: (sub, close) => closed.push({ sub, reason: close.reason }),
      disconnectChannel: (channel, close) => closed.push({ channel, reason: close.reason }),
      invalidate: () => begun.push(feed.epoch()),
      disconnectAll: (close) => closed.push({ reason: close.reason }),
    },
    ...options,
  })
  return {
    feed,
    published,
    /** When each of them was told, by performance.now(). */
    times,
    closed,
    /** The epochs that clients were moved to. */
    begun,
    /** Reads of the journal that failed. */
    failures: () => errors.length,
    offsets: () => published.map(({ offset }) => offset),
    untold: (written: readonly Written[]) =>
      untold(
        published.map(({ data }) => data),
        written,
      ),
    [Symbol.asyncDispose]: () => feed.stop(),
  }
}

/** Hub and feed behind a real HTTP server. */
export async function serve(journal: Journal, options: Partial<RealtimeOptions> & { port?: number } = {}) {
  const realtime = createRealtime({
    db: journal.system,
    connection: journal.connection,
    keys: [key],
    appUrl: 'http://localhost:8080',
    log: silent,
    ...options,
  })
  const server = createServer()
  const sockets = new Set<Socket>()
  server.on('connection', (socket) => sockets.add(socket))
  await realtime.start(server)
  await new Promise<void>((done) => server.listen(options.port ?? 0, '127.0.0.1', done))
  const { port } = server.address() as AddressInfo

  /** Closes every socket without a word, as kill -9 would. */
  async function kill() {
    for (const socket of sockets) socket.destroy()
    await new Promise((done) => server.close(done))
    await realtime.stop({ spreadMs: 0 })
  }
  return { ...realtime, port, url: `ws://127.0.0.1:${port}${socketPath}`, kill, [Symbol.asyncDispose]: kill }
}
