import { readFileSync } from 'node:fs'
import { sql } from 'kysely'
import pg from 'pg'
import { login } from '#features/sign-in/calls/sign-in.ts'
import type { ClientUid, EventUid } from '#kernel/ids.ts'
import { migrate } from '../platform/db/migrate.ts'
import { openEpoch } from '../realtime/feed/epoch.ts'
import { asAdmin, openTestDatabase, type TestDatabase } from './database.ts'
import { startTestServer, testConfig } from './test-server.ts'

/** What `npm run test:upgrade -- 98e08b562 server/testing/last-release` has kept of a drill with the release before version 2 of the log: its rows and a bundle. */
const kept = new URL('./last-release/', import.meta.url)
export const bundleOfRelease = new URL('record.zip', kept).pathname
/** That of the release. */
const schema = '0200-baseline'
/** That of the rows' people. */
const password = 'evacuate1'

type Row = Record<string, unknown>

/** A server on the database of the last release, upgraded: a drill whose record has an addition. */
export async function startUpgraded() {
  const rows = readRows()
  const database = await openTestDatabase({ empty: true })
  await migrate(database.owner.db, schema)
  await load(database, rows)
  await migrate(database.owner.db)
  const [key] = rows.get('log_key') ?? []
  const config = { ...testConfig, appUrl: `http://${key?.name}` }
  const server = await startTestServer({ config }, database)
  const [event] = rows.get('event') ?? []
  const of = { clientUid: event?.client_uid as ClientUid, eventUid: event?.uid as EventUid }
  const chief = rows.get('account')?.find(({ email }) => String(email).startsWith('chief'))
  const { access_token } = await server.stranger(login, { body: { email: String(chief?.email), password } })
  return { ...server, config, of, eventUid: of.eventUid, manager: server.callWith(access_token) }
}

function readRows(): Map<string, Row[]> {
  const lines = readFileSync(new URL('rows.jsonl', kept), 'utf8').trimEnd().split('\n')
  const all = lines.map((line) => JSON.parse(line) as { table: string; row: Row })
  return new Map([...Map.groupBy(all, ({ table }) => table)].map(([table, of]) => [table, of.map(({ row }) => row)]))
}

/** As the superuser, without triggers: the rows are whole. */
async function load(database: TestDatabase, rows: ReadonlyMap<string, Row[]>) {
  const inserts = [...rows].map(([table, all]) => {
    const columns = Object.keys(all[0] ?? {}).map((name) => pg.escapeIdentifier(name))
    return `insert into ${table} (${columns}) overriding system value
      select ${columns} from jsonb_populate_recordset(null::${table}, ${pg.escapeLiteral(JSON.stringify(all))}) on conflict do nothing;`
  })
  const sequences = `
    select setval(pg_get_serial_sequence('journal', 'position'), (select max(position) from journal));
    select setval(pg_get_serial_sequence('message', 'seq'), (select max(seq) from message));`
  await asAdmin(
    ['set session_replication_role = replica;', ...inserts, sequences, forgottenIds].join('\n'),
    database.connection.database,
  )
  await database.owner.db.deleteFrom('feedEpoch').execute()
  const epoch = await openEpoch(database.owner.db)
  await sql`update record_log set epoch = ${epoch}, read_epoch = ${epoch}`.execute(database.owner.db)
}

/** The database is the one of then, so its transactions are of the past: their ids are the first that there are. */
const forgottenIds = `
  create temp table ids as select xid as was, (dense_rank() over (order by xid) + 2)::text::xid8 as xid from (select distinct xid from journal) x;
  update record_log l set last_xid = ids.xid from ids where ids.was = l.last_xid;
  update record_tile t set first_xid = a.xid::text::bigint, last_xid = b.xid::text::bigint from ids a, ids b
    where a.was = t.first_xid::text::xid8 and b.was = t.last_xid::text::xid8;
  update journal j set xid = ids.xid from ids where ids.was = j.xid;`
