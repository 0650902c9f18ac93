import { sql } from 'kysely'
import type pg from 'pg'
import { expect, vi } from 'vitest'
import { test } from '../../testing/server-test.ts'
import { inClients, isDatabaseAway, openPool, owe, readIn, type Tx } from './db.ts'

const nameOf = (clientUid: string) => async (tx: Tx) => {
  const { rows } = await sql<{ name: string }>`select name from client where uid = ${clientUid}`.execute(tx)
  return rows[0]?.name
}

interface Stream {
  _write(): void
  _writev(): void
  destroy(): void
}

/** The socket of the connection that the pool gives out next. */
async function nextSocket(pool: pg.Pool): Promise<Stream> {
  const client = await pool.connect()
  client.release()
  return (client as unknown as { connection: { stream: Stream } }).connection.stream
}

/** Counts the writes to the connection of a pool that has one. */
async function writesOf(pool: pg.Pool): Promise<() => number> {
  const stream = await nextSocket(pool)
  const spies = [vi.spyOn(stream, '_writev'), vi.spyOn(stream, '_write')]
  return () => spies.reduce((sum, { mock }) => sum + mock.calls.length, 0)
}

test('F35 what a read asks in one go is one write, with begin; its commit is one with begin of the next read', async ({
  server,
}) => {
  const { clientUid } = await server.given.organisation()
  const pool = openPool(server.database.connection, 'evac_app', 1)
  const read = () => readIn(pool.db, [clientUid], (tx) => Promise.all([1, 2, 3].map(() => nameOf(clientUid)(tx))))
  const writes = await writesOf(pool.pg)

  expect((await Promise.all([read(), read()])).flat()).toHaveLength(6)
  // the last one is the commit alone
  await expect.poll(writes).toBe(3)
  await pool.close()
})

test('F35 T21 PostgreSQL refuses a read every change, and shows it its own organisation alone', async ({ server }) => {
  const [own, other] = [await server.given.organisation(), await server.given.organisation()]
  const { db } = server.database.tenant

  const change = (tx: Tx) => sql`update client set name = 'changed' where uid = ${own.clientUid}`.execute(tx)
  await expect(readIn(db, [own.clientUid], change)).rejects.toThrow('cannot execute UPDATE in a read-only transaction')

  expect(await readIn(db, [own.clientUid], nameOf(own.clientUid))).toBeTypeOf('string')
  expect(await readIn(db, [own.clientUid], nameOf(other.clientUid))).toBeUndefined()
})

test('F35 T21 200 reads of two organisations at once on one connection: each sees its own alone', async ({
  server,
}) => {
  const both = [await server.given.organisation(), await server.given.organisation()]
  const pool = openPool(server.database.connection, 'evac_app', 1)
  const everything = async (tx: Tx) => {
    const { rows } = await sql<{ uid: string }>`select uid from client`.execute(tx)
    return rows.map(({ uid }) => uid)
  }

  const asked = Array.from({ length: 200 }, (_, n) => both[n % 2]?.clientUid as string)
  const seen = await Promise.all(asked.map((uid) => readIn(pool.db, [uid], everything)))
  await pool.close()

  expect(seen).toEqual(asked.map((uid) => [uid]))
})

test('F35 PEEP-05 what a read owes is written when its answer is there; a read that fails owes nothing', async ({
  server,
}) => {
  const { clientUid } = await server.given.organisation()
  const { db } = server.database.tenant
  const renamed = (name: string) => (tx: Tx) => owe(tx, (tx) => sql`update client set name = ${name}`.execute(tx))

  const failed = readIn(db, [clientUid], async (tx) => {
    await renamed('by the one that fails')(tx)
    throw new Error('the read failed')
  })
  await expect(failed).rejects.toThrow('the read failed')
  const before = await readIn(db, [clientUid], async (tx) => {
    await renamed('by a read')(tx)
    return nameOf(clientUid)(tx)
  })

  expect(before).not.toMatch(/^by /)
  expect(await readIn(db, [clientUid], nameOf(clientUid))).toBe('by a read')
  const atOnce = await inClients(db, [clientUid], async (tx) => {
    await renamed('by a change')(tx)
    return nameOf(clientUid)(tx)
  })
  expect(atOnce).toBe('by a change')
})

test('F35 a read on a connection that was lost fails as one without a database, and the next one is answered', async ({
  server,
}) => {
  const { clientUid } = await server.given.organisation()
  const { tenant } = server.database
  const socket = await nextSocket(tenant.pg)

  const read = readIn(tenant.db, [clientUid], nameOf(clientUid))
  socket.destroy()
  const error = await read.then(
    () => undefined,
    (reason) => reason,
  )

  expect(isDatabaseAway(error)).toBe(true)
  expect(await readIn(tenant.db, [clientUid], nameOf(clientUid))).toBeTypeOf('string')
})

test('F35 a statement that failed undoes its transaction, also when no one heard of it', async ({ server }) => {
  const { clientUid } = await server.given.organisation()
  const { db } = server.database.tenant

  const unheard = inClients(db, [clientUid], async (tx) => {
    await sql`update client set name = 'kept'`.execute(tx)
    await sql`select 1 / 0`.execute(tx).catch(() => undefined)
  })

  await expect(unheard).rejects.toThrow('a statement of the transaction failed')
  expect(await readIn(db, [clientUid], nameOf(clientUid))).not.toBe('kept')
})
