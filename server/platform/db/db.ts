import { CamelCasePlugin, DummyDriver, Kysely, PostgresDialect, type RawBuilder, sql, Transaction } from 'kysely'
import pg from 'pg'
import type { Tables } from './branded.ts'
import type { DatabaseRole, Roles } from './database-roles.ts'
import { nameOf, onQuery, unawaited } from './sending.ts'

export type { Tables }
/** For reads: a pool or a transaction. */
export type Db = Kysely<Tables>
/** For writes: a transaction, so that a missing one does not compile. */
export type Tx = Transaction<Tables>

// bigint identities and counts fit a double here; dates stay calendar dates
pg.types.setTypeParser(pg.types.builtins.INT8, Number)
const int8List = 1016 as typeof pg.types.builtins.INT8
const readList = pg.types.getTypeParser(int8List)
pg.types.setTypeParser(int8List, (text) => readList(text).map(Number))
pg.types.setTypeParser(pg.types.builtins.DATE, (text) => text)

// column names only: JSON values keep their keys
const columnNames = new CamelCasePlugin({ maintainNestedObjectKeys: true })

/** Where the database listens: a URL, or the embedded server's socket. */
export type Address = { connectionString: string } | { host: string; port: number; user: string; database: string }

/** An address that `openDatabase` has checked, with the names of the two roles on its server. */
export type Connection = Address & { roles: Roles }

export interface Pool {
  db: Db
  pg: pg.Pool
  /** Closes every connection at once. Pending statements fail. The next use opens a new connection. */
  cut(): void
  /** Closes connections on which a statement has been unanswered for longer than the statement timeout. */
  cutSilent(): void
  close(): Promise<void>
}

/**
 * A pool whose connections act as the role, or as the owner if no role is given (migrations only). `reusePlans` is for
 * hot statements only: without it PostgreSQL plans the largest one anew each time (0.9 ms), which costs more than
 * running it (0.5 ms).
 */
export function openPool(
  { roles, ...address }: Connection,
  role: DatabaseRole | undefined,
  size: number,
  { reusePlans = false, name }: { reusePlans?: boolean; name?: string } = {},
): Pool {
  const options = [
    ...(role ? [`-c role=${asOption(roles[role])}`] : []),
    // statements join the selective tables first: trying all orders of nine tables takes 100 times as long as running
    // one
    '-c join_collapse_limit=4 -c from_collapse_limit=4',
    ...(reusePlans ? ['-c plan_cache_mode=force_generic_plan'] : []),
  ]
  const statementTimeout = reusePlans || role === 'evac_app' ? 30_000 : 300_000
  const pool = new pg.Pool({
    ...address,
    max: size,
    application_name: name ?? (reusePlans ? 'evac_hot' : (role ?? 'evac_owner')),
    options: options.join(' '),
    statement_timeout: statementTimeout,
    // `pipeline` sends a statement before the answer to the last one. The time-out releases the locks of a process that
    // has lost its connection to the database.
    ...(role === 'evac_app' && { idle_in_transaction_session_timeout: idleTransactionMs, pipeline: true }),
    connectionTimeoutMillis: 10_000,
    keepAlive: true,
  })
  // a broken connection is replaced at the next use; without a listener it would end the process
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

/** Escapes a value for the connection options, where a space separates options. */
const asOption = (value: string) => value.replace(/[\\ ]/g, '\\$&')

/** Destroys a connection without notifying the server, which may be unreachable. */
export function cut(client: pg.ClientBase): void {
  const { connection } = client as unknown as { connection: { stream: { destroy(): void } } }
  connection.stream.destroy()
}

/** Longest idle time in a transaction. Nothing in a transaction waits for anything but the database. */
const idleTransactionMs = 10_000
/** Allowance for the answer to travel. */
const graceMs = 5_000

const uuid = /^[0-9a-f-]{36}$/
/** Deadlock or serialisation failure: the transaction changed nothing and may be retried. */
export const retriable = new Set(['40P01', '40001'])

/**
 * Runs one transaction that sees only these clients. Row-level security is the second barrier behind `client_uid` in
 * each query. Retries after a deadlock. `begin` and the scope share one round trip.
 */
export async function inClients<T>(db: Db, clientUids: readonly string[], work: (tx: Tx) => Promise<T>): Promise<T> {
  const begin = `begin; ${scopeOf(clientUids)}`
  return retrying(() => oneTransaction(db, { begin, commit: 'commit' }, work))
}

/**
 * With 'one snapshot' all statements of a read see the same moment. With 'kept plans' a connection plans a `prepared` statement
 * once for all values. Otherwise PostgreSQL plans it anew for the values wherever it estimates that to be cheaper: 3 ms
 * for a floor in the order of attention, which takes 0.4 ms to read.
 */
export type ReadMode = 'one snapshot' | 'kept plans'
const modes: Record<ReadMode, { level?: string; set?: string }> = {
  'one snapshot': { level: 'isolation level repeatable read ' },
  'kept plans': { set: '; set local plan_cache_mode = force_generic_plan' },
}

/**
 * The same for a read. PostgreSQL refuses it every change, so `begin` travels with the first statement and no one waits
 * for `commit`. If `begin` fails, the first statement sees no client and fails, too. Statements of one `Promise.all` travel
 * together. What the read owes (`owe`) is written after it.
 */
export async function readIn<T>(
  db: Db,
  clientUids: readonly string[],
  work: (tx: Tx) => Promise<T>,
  mode?: ReadMode,
): Promise<T> {
  const { level = '', set = '' } = mode ? modes[mode] : {}
  const begin = `${unawaited}begin ${level}read only; ${scopeOf(clientUids)}${set}`
  const changes: Change[] = []
  const result = await retrying(() => {
    changes.length = 0
    return oneTransaction(db, { begin, commit: `${unawaited}commit` }, (tx) => {
      owed.set(tx, changes)
      return work(tx)
    })
  })
  if (changes.length > 0)
    await inClients(db, clientUids, async (tx) => {
      for (const change of changes) await change(tx)
    })
  return result
}

type Change = (tx: Tx) => Promise<unknown>
const owed = new WeakMap<Tx, Change[]>()

/** Makes a change that belongs to a read: after it, and before its caller has the answer. In another transaction, at once. */
export async function owe(tx: Tx, change: Change): Promise<void> {
  const changes = owed.get(tx)
  if (changes) changes.push(change)
  else await change(tx)
}

/** Retries work that the database aborted because of a deadlock. The work must be one statement or one transaction. */
export async function retrying<T>(work: () => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await work()
    } catch (error) {
      if (attempt === 3 || !retriable.has(sqlState(error) ?? '')) throw error
    }
  }
}

/** Runs one statement as its own transaction. Rows keep the column names of the statement. */
export type OneStatement = <T>(statement: RawBuilder<T>) => Promise<T[]>

/**
 * For the hot path: one round trip without begin and commit, and row locks only while the database works. Acts as the
 * pool's role, so the statement must restrict itself to its client (it starts from the token's row).
 */
export function oneStatementOn({ db, pg: pool }: Pool): OneStatement {
  return (statement) => {
    const { sql: text, parameters } = statement.compile(db)
    const name = nameOf(text)
    return retrying(async () => (await pool.query({ text, values: [...parameters], ...(name && { name }) })).rows)
  }
}

function scopeOf(clientUids: readonly string[]): string {
  if (!clientUids.every((uid) => uuid.test(uid))) throw new Error('not a client uid')
  return `set local app.clients = '${clientUids.join(',')}'`
}

// Kysely's own transactions wait for the answer to the last statement, also with Promise.all
const dialect = new PostgresDialect({ pool: () => Promise.reject(new Error('a transaction opens no pool')) })
const unused = { config: { dialect }, dialect, driver: new DummyDriver() }

function oneTransaction<T>(
  db: Db,
  { begin, commit }: { begin: string; commit: string },
  work: (tx: Tx) => Promise<T>,
): Promise<T> {
  const executor = db.getExecutor()
  return executor.provideConnection(async (connection) => {
    const here = executor.withConnectionProvider({ provideConnection: (use) => use(connection) })
    const tx: Tx = new Transaction({ ...unused, executor: here })
    await sql.raw(begin).execute(tx)
    try {
      const result = await work(tx)
      const { rows } = await sql.raw<{ command: string }>(commit).execute(tx)
      // PostgreSQL answers so to the commit of a transaction in which a statement has failed
      if (rows[0]?.command === 'ROLLBACK') throw new Error('a statement of the transaction failed')
      return result
    } catch (error) {
      // a connection that cannot roll back is broken; the first error is the useful one
      await sql`rollback`.execute(tx).catch(() => undefined)
      throw error
    }
  })
}

/**
 * Prepares a hot statement once per connection, which saves parsing and planning. The name must be unique and the text
 * constant.
 */
export const prepared = (name: string) => sql.raw(`/*= ${name} */ `)

/**
 * The database is down, stopping, full, read-only (a standby) or overloaded. Nothing was lost; the caller may retry.
 */
const unavailable = /^(57|53|58030|25006|08|ECONN|ENOENT|EPIPE|ETIMEDOUT|ENOTFOUND|EAI_AGAIN|EHOST|ENET)/
/** Messages of `pg` for a lost connection, which come without a code. */
const connectionLost = /^(Connection terminated|Client has encountered a connection error|timeout exce|timeout expired)/

/**
 * Matches only errors of the database and of `pg`. Other services use the same codes for lost connections. pg-boss passes on
 * copies of errors, which are plain objects.
 */
export function isLostConnection(error: Error): boolean {
  const { code, severity } = error as Partial<pg.DatabaseError>
  if (severity !== undefined) return /^(57P|08)/.test(code ?? '')
  if (connectionLost.test(error.message)) return true
  return (
    /connection ended|ECONN|EPIPE|ENOENT|ETIMEDOUT/.test(error.message) && /node_modules.pg/.test(error.stack ?? '')
  )
}

export function isDatabaseAway(error: unknown): boolean {
  if (!(error instanceof Error)) return false
  return unavailable.test((error as { code?: string }).code ?? '') || connectionLost.test(error.message)
}

/** The SQLSTATE of a database error, or undefined for any other error. */
export function sqlState(error: unknown): string | undefined {
  return error instanceof pg.DatabaseError ? error.code : undefined
}
