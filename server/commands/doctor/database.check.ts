import { setTimeout as delay } from 'node:timers/promises'
import pg from 'pg'
import type { Config } from '../../platform/config/config.ts'
import { connectionsOf, checkDatabase as listLacks } from '../../platform/db/database-check.ts'
import type { Connection } from '../../platform/db/db.ts'
import { type Finding, fault, good, note, warning } from './finding.ts'

/** Seconds. Texts and links expire by the database's clock, tokens by this machine's. */
const mostClockSeconds = 2

/** Checks whether the database has what Evac needs, excludes others, agrees on the time, and accepts writes. */
export async function checkDatabase(connection: Connection, { databaseUrl }: Pick<Config, 'databaseUrl'>) {
  const { name, findings } = await listLacks(connection, connectionsOf.node)
  // the embedded database has no one to exclude
  const told = findings.filter(({ isFatal }) => isFatal || databaseUrl)
  const lacks = told.map(({ what, sql, isFatal }) => (isFatal ? fault : warning)(sql ? `${what} ${sql}` : what))
  if (findings.some(({ isFatal }) => isFatal)) return lacks
  return [good(`The database is ${name}, with every right that Evac needs`), ...lacks, ...(await tryOut(connection))]
}

async function tryOut(connection: Connection): Promise<Finding[]> {
  const client = new pg.Client({ ...connection, application_name: 'evac_doctor', connectionTimeoutMillis: 10_000 })
  client.on('error', () => undefined)
  try {
    await client.connect()
    const { rows } = await client.query<{ now: Date }>('select clock_timestamp() as now')
    return [
      judgeClock(rows[0]?.now ?? new Date(0)),
      await tryToWrite(client),
      ...(await findHolders(client)),
      ...(await findEvents(client)),
    ]
  } catch (error) {
    return [fault(`The database cannot be used: ${(error as Error).message}`)]
  } finally {
    await client.end().catch(() => undefined)
  }
}

function judgeClock(now: Date): Finding {
  const skew = Math.abs(now.getTime() - Date.now()) / 1000
  return skew <= mostClockSeconds
    ? good('Its clock agrees with that of this machine')
    : fault(`Its clock and that of this machine differ by ${Math.round(skew)} seconds: run NTP on both`)
}

/** Seconds. Shorter ones are ordinary work. */
const longTransaction = 5

interface Open {
  what: string
  cure: string
  xid: string
  /** Null: the session of another account does not say when its transaction began. */
  seconds: number | null
}

/** An open transaction of this database holds the live updates of every phone back. */
async function findHolders(client: pg.Client): Promise<Finding[]> {
  const first = await listOpen(client)
  const isUnknown = first.some(({ seconds }) => seconds === null)
  if (isUnknown) await delay(longTransaction * 1000)
  const before = new Set(first.map(({ xid }) => xid))
  const open = isUnknown ? (await listOpen(client)).filter(({ xid }) => before.has(xid)) : first
  return open
    .filter(({ seconds }) => seconds === null || seconds >= longTransaction)
    .map(({ what, cure, seconds }) => {
      const age = seconds === null ? `over ${longTransaction}` : seconds
      return fault(
        `A transaction in ${client.database} (${what}) has been open for ${age} s and holds live updates back: ${cure}`,
      )
    })
}

async function listOpen(client: pg.Client): Promise<Open[]> {
  const { rows } = await client.query<Open>(
    `select 'pid ' || pid as what, format('select pg_terminate_backend(%s)', pid) as cure, backend_xid::text as xid,
       extract(epoch from clock_timestamp() - xact_start)::int as seconds
     from pg_stat_activity where datname = current_database() and backend_xid is not null
     union all
     select 'prepared as ' || gid, format('rollback prepared %L', gid), transaction::text,
       extract(epoch from clock_timestamp() - prepared)::int
     from pg_prepared_xacts where database = current_database()`,
  )
  return rows
}

/** Restarts and upgrades can wait until it is over. Before the first start there are no tables. */
async function findEvents(client: pg.Client): Promise<Finding[]> {
  const { rows: tables } = await client.query(`select from pg_tables where tablename = 'event'`)
  if (tables.length === 0) return []
  const { rows } = await client.query<{ running: number }>(
    'select count(*)::int as running from event where ended_at is null',
  )
  const running = rows[0]?.running ?? 0
  return running > 0
    ? [note(`${running === 1 ? 'An event is' : `${running} events are`} running: change nothing now`)]
    : []
}

/** Tries a write, because a full disk, a standby and a read-only account show only there. */
async function tryToWrite(client: pg.Client): Promise<Finding> {
  try {
    await client.query('begin; create temporary table evac_doctor (n int) on commit drop')
    await client.query('insert into evac_doctor values (1); select pg_current_xact_id(); commit')
    return good('It accepts writes')
  } catch (error) {
    return fault(`It accepts no writes: ${(error as Error).message}`)
  }
}
