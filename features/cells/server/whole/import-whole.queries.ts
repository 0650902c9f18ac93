import type pg from 'pg'
import type { LogOf } from '#features/log/server/sealing.queries.ts'
import type { ClientUid } from '#kernel/ids.ts'
import type { Db } from '#server/platform/db/db.ts'
import { isShared, quoted, type WholeTable } from './whole-tables.queries.ts'

/** A row of another organisation has what should be unique, as the code of a poster. */
export class Meets extends Error {}

export async function takeTurn(client: pg.ClientBase): Promise<boolean> {
  const { rows } = await client.query<{ taken: boolean }>(
    `select pg_try_advisory_lock(hashtext('evac import whole')) as taken`,
  )
  return rows[0]?.taken === true
}

/** An organisation of this uid or code. */
export async function findPresent(client: pg.ClientBase, { uid, code }: { uid: string; code: string }) {
  const { rows } = await client.query<{ uid: string; name: string }>(
    'select uid, name from public.client where uid = $1 or code = $2 order by uid = $1 desc limit 1',
    [uid, code],
  )
  return rows[0]
}

export async function countRunningEvents(client: pg.ClientBase): Promise<number> {
  const { rows } = await client.query<{ count: number }>(
    'select count(*)::int as count from public.event where ended_at is null',
  )
  return rows[0]?.count ?? 0
}

/**
 * Tables of this connection alone, without rules, in which the rows wait. They are filled in short transactions: a long one would
 * hold back the live updates of everyone else. They go with the connection.
 */
export async function makeWaitingTables(client: pg.ClientBase, tables: readonly WholeTable[]): Promise<void> {
  for (const { name, columns } of tables)
    await client.query(
      `create temp table "${name}" as select ${quoted(columns.map((column) => column.name))} from public."${name}" with no data`,
    )
  // conditions name tables without a schema: from here on they mean these
  await client.query('set search_path to pg_temp, public')
}

export async function addRows(
  client: pg.ClientBase,
  { name, columns }: WholeTable,
  lines: readonly string[],
): Promise<void> {
  const values = columns.map(({ type }, at) => `(l ->> ${at})::${type}`).join(', ')
  await client.query(
    `insert into pg_temp."${name}" (${quoted(columns.map((column) => column.name))})
     select ${values} from (select line::jsonb as l from unnest($1::text[]) line offset 0) read`,
    [lines],
  )
}

/** The first table with a row that is not of the organisation. */
export async function findForeign(client: pg.ClientBase, tables: readonly WholeTable[]): Promise<string | undefined> {
  for (const { name, condition } of tables) {
    const { rowCount } = await client.query(`select from pg_temp."${name}" where (${condition}) is not true limit 1`)
    if (rowCount !== 0) return name
  }
  return undefined
}

export async function countWaiting(client: pg.ClientBase, name: string): Promise<number> {
  const { rows } = await client.query<{ count: number }>(`select count(*)::int as count from pg_temp."${name}"`)
  return rows[0]?.count ?? 0
}

/** Links of the old address open nothing here, and what waited to leave there does not leave from here, too. */
export async function makeSafe(client: pg.ClientBase, tables: readonly WholeTable[]): Promise<void> {
  for (const { name, columns, references } of tables) {
    const has = (column: string) => columns.some((one) => one.name === column)
    const changes = [
      has('token_hash') &&
        'token_hash = case when token_hash is not null then sha256(gen_random_uuid()::text::bytea) end',
      has('token_hash') && has('expires_at') && 'expires_at = least(expires_at, now())',
      has('token_hash') && has('revoked_at') && 'revoked_at = coalesce(revoked_at, now())',
      // what it refers to was left out
      ...references
        .filter(({ to }) => !tables.some((table) => table.name === to))
        .map(({ from }) => `"${from.at(-1)}" = null`),
    ].filter((change) => change !== false)
    if (changes.length > 0) await client.query(`update pg_temp."${name}" set ${changes.join(', ')}`)
  }
  for (const statement of held) await client.query(statement)
}

const held = [
  `update pg_temp.sms set status = 'expired', reason = 'not sent before the organisation moved' where status = 'queued'`,
  `update pg_temp.ring set status = 'expired', reason = 'not sent before the organisation moved' where status = 'queued'`,
  'update pg_temp.broadcast set finished_at = now() where finished_at is null',
  `update pg_temp.reach set state = 'over', reason = 'not reached before the organisation moved' where state = 'going'`,
]

/**
 * Entries keep their positions, which their lines in the log have, and get a transaction id below all of this server that no
 * entry of the same position has. Logs go on as moved.
 */
export async function moveLogs(
  client: pg.ClientBase,
  { host, epoch, limit }: { host: string; epoch: string; limit: number },
) {
  const { rows } = await client.query<{ xid: string }>(
    `select k.xid::text from generate_series(1, ${limit} - 1) k (xid)
     where not exists (select from pg_temp.journal w join public.journal j on j.xid = k.xid::text::xid8 and j.position = w.position)
     order by k.xid limit 1`,
  )
  await client.query('update pg_temp.journal set xid = $1::text::xid8', [rows[0]?.xid])
  await client.query(`update pg_temp.record_log set epoch = $1, read_epoch = $1, last_xid = '0', last_position = 0`, [
    epoch,
  ])
  await client.query(
    'update pg_temp.client set moved_from = $1, moved_to = null, moved_at = null, moving_until = null, moving_by = null',
    [host],
  )
}

export async function suspendWaiting(client: pg.ClientBase): Promise<void> {
  await client.query('update pg_temp.client set active = false')
}

export async function listFactors(client: pg.ClientBase): Promise<{ accountUid: string; secret: Buffer }[]> {
  const { rows } = await client.query('select account_uid as "accountUid", secret from pg_temp.second_factor')
  return rows
}

export async function setFactor(client: pg.ClientBase, accountUid: string, secret: Buffer): Promise<void> {
  await client.query('update pg_temp.second_factor set secret = $2 where account_uid = $1', [accountUid, secret])
}

/** Takes out recovery codes that were hashed with other keys than these. Returns their number. */
export async function dropStrangeCodes(client: pg.ClientBase, keyIds: readonly string[]): Promise<number> {
  const { rowCount } = await client.query('delete from pg_temp.recovery_code where (key_id = any ($1)) is not true', [
    keyIds,
  ])
  return rowCount ?? 0
}

export async function listWaitingKeys(client: pg.ClientBase): Promise<string[]> {
  const { rows } = await client.query<{ key: string }>(
    'select distinct storage_key as key from pg_temp.document where storage_key is not null',
  )
  return rows.map(({ key }) => key)
}

const room = 1_000_000

/**
 * Numbers that the database gives go on far above those that come, once. What other work takes meanwhile is far below, so none is
 * given twice.
 */
export async function makeRoom(client: pg.ClientBase, tables: readonly WholeTable[]): Promise<void> {
  const { rows } = await client.query<{ table: string; column: string }>(
    `select c.relname as table, a.attname as column from pg_class c join pg_attribute a on a.attrelid = c.oid
     where c.relnamespace = 'public'::regnamespace and a.attidentity <> ''`,
  )
  for (const { table, column } of rows.filter((one) => tables.some(({ name }) => name === one.table)))
    await client.query(
      `select setval(s.name, w.highest + ${room}) from (select pg_get_serial_sequence($1, $2)::regclass as name) s,
         (select max("${column}") as highest from pg_temp."${table}") w
       where w.highest + ${room} / 2 > coalesce(pg_sequence_last_value(s.name), 0)`,
      [`public.${table}`, column],
    )
}

/** Moves the rows to where they belong. Returns how many there are now of the organisation. Shared ones may be there already. */
export async function bringIn(client: pg.ClientBase, { name, columns }: WholeTable): Promise<number> {
  const list = quoted(columns.map((column) => column.name))
  const identity = name === 'client' || isShared(name) ? '' : 'overriding system value'
  const { rowCount } = await client
    .query(
      `/* authority */ insert into public."${name}" (${list}) ${identity} select ${list} from pg_temp."${name}"
       ${isShared(name) ? 'on conflict do nothing' : ''}`,
    )
    .catch((error: pg.DatabaseError) => {
      if (error.code !== '23505') throw error
      throw new Meets(`A row of ${name} meets one that is here (${error.constraint}).`)
    })
  return rowCount ?? 0
}

export async function noteImported(client: pg.ClientBase, clientUid: string, host: string): Promise<void> {
  await client.query(
    `insert into public.journal (client_uid, action, subject_type, subject_uid, after)
     values ($1, 'organisation_imported', 'organisation', $1, jsonb_build_object('from', $2::text))`,
    [clientUid, host],
  )
}

/** The logs of the organisation's events. */
export function listLogs(system: Db, clientUid: ClientUid): Promise<LogOf[]> {
  return system.selectFrom('recordLog').select(['clientUid', 'eventUid']).where('clientUid', '=', clientUid).execute()
}
