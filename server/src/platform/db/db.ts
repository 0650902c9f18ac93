import { CamelCasePlugin, Kysely, PostgresDialect, type RawBuilder, sql, type Transaction } from 'kysely'
import pg from 'pg'
import type { Tables } from './branded.ts'
import type { DatabaseRole, Roles } from './database-roles.ts'

export type { Tables }
/** Reads: a pool, or a transaction. */
export type Db = Kysely<Tables>
/** Writes: only inside a transaction, so a missing one does not compile. */
export type Tx = Transaction<Tables>

// bigint identities and counts fit a double here; dates stay the calendar date they are
pg.types.setTypeParser(pg.types.builtins.INT8, Number)
pg.types.setTypeParser(pg.types.builtins.DATE, (text) => text)

// names of columns only: what is inside a json value was written as it is to be read
const columnNames = new CamelCasePlugin({ maintainNestedObjectKeys: true })

/** Where the database listens: a URL, or the embedded server's socket. */
export type Address = { connectionString: string } | { host: string; port: number; user: string; database: string }

/** A database that was found fit (`openDatabase`), and what the two roles are called on its server. */
export type Connection = Address & { roles: Roles }

export interface Pool {
  db: Db
  pg: pg.Pool
  /** Ends every connection at once; what waits for an answer on one fails. They are opened anew at the next use. */
  cut(): void
  /** Ends those on which a statement has had no answer for longer than any may run: nothing will come any more. */
  cutSilent(): void
  close(): Promise<void>
}

/**
 * A pool whose connections act as the role; without one, as the owner (migrations only). `reusePlans` is for the hot
 * statements alone: PostgreSQL would plan the largest anew each time, which costs more than running it (0.9 ms for 0.5).
 */
export function openPool(
  { roles, ...address }: Connection,
  role: DatabaseRole | undefined,
  size: number,
  { reusePlans = false } = {},
): Pool {
  const options = [
    ...(role ? [`-c role=${asOption(roles[role])}`] : []),
    // statements join what they select first: trying all orders of nine tables takes a hundred times as long as running one
    '-c join_collapse_limit=4 -c from_collapse_limit=4',
    ...(reusePlans ? ['-c plan_cache_mode=force_generic_plan'] : []),
  ]
  const statementTimeout = reusePlans || role === 'evac_app' ? 30_000 : 300_000
  const pool = new pg.Pool({
    ...address,
    max: size,
    application_name: reusePlans ? 'evac_hot' : (role ?? 'evac_owner'),
    options: options.join(' '),
    statement_timeout: statementTimeout,
    // a process that is cut off from the database keeps nobody else waiting for what it had locked
    ...(role === 'evac_app' && { idle_in_transaction_session_timeout: idleTransactionMs }),
    connectionTimeoutMillis: 10_000,
    keepAlive: true,
  })
  // a connection that is cut, idle or at work, is replaced at the next use; without listeners it would end the process
  pool.on('error', () => undefined)
  pool.on('connect', (client) => void client.on('error', () => undefined))
  const askedAt = new Map<pg.ClientBase, number | undefined>()
  pool.on('connect', (client) => {
    askedAt.set(client, undefined)
    client.on('drain', () => askedAt.set(client, undefined))
    onQuery(client, () => askedAt.set(client, performance.now()))
  })
  pool.on('remove', (client) => askedAt.delete(client))
  const cutWhere = (isMeant: (asked: number | undefined) => boolean) => {
    for (const [client, asked] of [...askedAt]) if (isMeant(asked)) cut(client)
  }
  const db = new Kysely<Tables>({ dialect: new PostgresDialect({ pool }), plugins: [columnNames] })
  return {
    db,
    pg: pool,
    cut: () => cutWhere(() => true),
    cutSilent: () => cutWhere((asked) => asked !== undefined && performance.now() - asked > statementTimeout + graceMs),
    close: () => db.destroy(),
  }
}

/** A value among the options of a connection, where a space ends it. */
const asOption = (value: string) => value.replace(/[\\ ]/g, '\\$&')

/** Ends a connection without a word to the other side, which may not hear it. */
export function cut(client: pg.ClientBase): void {
  const { connection } = client as unknown as { connection: { stream: { destroy(): void } } }
  connection.stream.destroy()
}

/** Nothing in a transaction waits for anything but the database. */
const idleTransactionMs = 10_000
/** For the answer to travel. */
const graceMs = 5_000

const uuid = /^[0-9a-f-]{36}$/
/** A deadlock or a serialisation failure: the transaction changed nothing and may be tried again. */
export const retriable = new Set(['40P01', '40001'])

/**
 * One transaction that sees only these clients (row-level security is the second wall behind `client_uid` in each
 * query). Tried again when the database broke a deadlock. Begin and scope travel together: one round trip, not two.
 */
export async function inClients<T>(db: Db, clientUids: readonly string[], work: (tx: Tx) => Promise<T>): Promise<T> {
  const begin = beginIn(clientUids)
  return retrying(() => oneTransaction(db, begin, work))
}

/** Runs again what the database broke off to end a deadlock. For what is one statement, or one transaction. */
export async function retrying<T>(work: () => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await work()
    } catch (error) {
      if (attempt === 3 || !retriable.has(sqlState(error) ?? '')) throw error
    }
  }
}

/** Runs one statement that is a transaction by itself; rows come back as the statement names its columns. */
export type OneStatement = <T>(statement: RawBuilder<T>) => Promise<T[]>

/**
 * For the hot path: no begin, no commit, no second round trip, and row locks are held only while the database works.
 * Acts as the pool's role, so such a statement must find its own client (it starts from the token's row).
 */
export function oneStatementOn({ db, pg: pool }: Pool): OneStatement {
  return (statement) => {
    const { sql: text, parameters } = statement.compile(db)
    const name = nameOf(text)
    return retrying(async () => (await pool.query({ text, values: [...parameters], ...(name && { name }) })).rows)
  }
}

function beginIn(clientUids: readonly string[]): string {
  if (!clientUids.every((uid) => uuid.test(uid))) throw new Error('not a client uid')
  return `begin; set local app.clients = '${clientUids.join(',')}'`
}

function oneTransaction<T>(db: Db, begin: string, work: (tx: Tx) => Promise<T>): Promise<T> {
  return db.connection().execute(async (connection) => {
    await sql.raw(begin).execute(connection)
    try {
      const result = await work(connection as Tx)
      await sql`commit`.execute(connection)
      return result
    } catch (error) {
      // a connection that cannot even roll back is broken; the first error is the one to tell
      await sql`rollback`.execute(connection).catch(() => undefined)
      throw error
    }
  })
}

/**
 * Marks a hot statement to be prepared once per connection: it saves the server's parsing and planning. The name must
 * be unique and the text the same at every call.
 */
export const prepared = (name: string) => sql.raw(`/*= ${name} */ `)

type Query = (this: pg.Client, config: unknown, values?: unknown, callback?: unknown) => unknown

const nameOf = (text: string) => /^\/\*= (\w+) \*\//.exec(text.slice(0, 60))?.[1]

/** Tells of each statement, and gives those marked by `prepared` their name on the way to the server. */
function onQuery(client: pg.ClientBase, tell: () => void) {
  const plain = client.query as unknown as Query
  const named: Query = function (config, values, callback) {
    tell()
    const name = typeof config === 'string' ? nameOf(config) : undefined
    return name
      ? plain.call(this, { name, text: config, values }, callback)
      : plain.call(this, config, values, callback)
  }
  client.query = named as unknown as typeof client.query
}

/** The database is away, going away, full, read-only (a standby) or busy beyond measure: try again, nothing was lost. */
const away = /^(57|53|58030|25006|08|ECONN|ENOENT|EPIPE|ETIMEDOUT|ENOTFOUND|EAI_AGAIN|EHOST|ENET)/
/** What `pg` says of a lost connection; it gives these no code. */
const lost = /^(Connection terminated|Client has encountered a connection error|timeout exce|timeout expired)/

/** Only what the database, or `pg` on its behalf, says; other services use the same codes for lost connections. */
export function isLostConnection(error: Error): boolean {
  if (error instanceof pg.DatabaseError) return /^(57P|08)/.test(error.code ?? '')
  if (lost.test(error.message)) return true
  return (
    /connection ended|ECONN|EPIPE|ENOENT|ETIMEDOUT/.test(error.message) && /node_modules.pg/.test(error.stack ?? '')
  )
}

export function isDatabaseAway(error: unknown): boolean {
  if (!(error instanceof Error)) return false
  return away.test((error as { code?: string }).code ?? '') || lost.test(error.message)
}

/** SQLSTATE of a database error, or undefined for any other error. */
export function sqlState(error: unknown): string | undefined {
  return error instanceof pg.DatabaseError ? error.code : undefined
}
