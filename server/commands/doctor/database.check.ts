import pg from 'pg'
import type { Config } from '../../platform/config/config.ts'
import { connectionsOf, checkDatabase as listLacks } from '../../platform/db/database-check.ts'
import type { Connection } from '../../platform/db/db.ts'
import { type Finding, fault, good, warning } from './finding.ts'

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
    return [judgeClock(rows[0]?.now ?? new Date(0)), await tryToWrite(client)]
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
    : warning(`Its clock and that of this machine differ by ${Math.round(skew)} seconds: run NTP on both`)
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
