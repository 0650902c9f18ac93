import pg from 'pg'
import type { Connection } from '../platform/db.ts'
import { type Finding, fault, good, warning } from './finding.ts'

/** Phones sort by what both clocks say. */
const mostClockSeconds = 2

/** Whether the database is reached, is one that Evac can use, and takes changes. */
export async function checkDatabase(connection: Connection): Promise<Finding[]> {
  const client = new pg.Client({ ...connection, application_name: 'evac_doctor', connectionTimeoutMillis: 10_000 })
  client.on('error', () => undefined)
  try {
    await client.connect()
    const { rows } = await client.query<Facts>(readFacts)
    return [...judge(rows[0] as Facts), await tryToWrite(client)]
  } catch (error) {
    const { code, message } = error as pg.DatabaseError
    return [fault(`The database cannot be used: ${message || code}`)]
  } finally {
    await client.end().catch(() => undefined)
  }
}

interface Facts {
  version: string
  number: number
  encoding: string
  connections: number
  now: Date
}

const readFacts = `select current_setting('server_version') as version, current_setting('server_version_num')::int as number,
  current_setting('server_encoding') as encoding, current_setting('max_connections')::int as connections,
  clock_timestamp() as now`

function judge({ version, number, encoding, connections, now }: Facts): Finding[] {
  const skew = Math.abs(now.getTime() - Date.now()) / 1000
  return [
    number >= 150_000
      ? good(`The database is PostgreSQL ${version}`)
      : fault(`PostgreSQL ${version} is too old: use 15 or newer`),
    encoding === 'UTF8' ? good('Its encoding is UTF8') : fault(`Its encoding is ${encoding}: make it anew with UTF8`),
    connections >= 50
      ? good(`It takes ${connections} connections; a process opens up to 35`)
      : warning(`It takes ${connections} connections, and a process opens up to 35: raise max_connections`),
    skew <= mostClockSeconds
      ? good('Its clock and this machine agree')
      : warning(`Its clock and this machine differ by ${Math.round(skew)} seconds: run NTP on both`),
  ]
}

/** A full disk, a standby and a read-only account show only here. */
async function tryToWrite(client: pg.Client): Promise<Finding> {
  try {
    await client.query('begin; create temporary table evac_doctor (n int) on commit drop')
    await client.query('insert into evac_doctor values (1); select pg_current_xact_id(); commit')
    return good('It takes changes')
  } catch (error) {
    return fault(`It takes no changes: ${(error as Error).message}`)
  }
}
