import { randomUUID } from 'node:crypto'
import type pg from 'pg'

/** $1 is the organisation. The values begin at $2. */
export type Run = (text: string, ...values: unknown[]) => Promise<pg.QueryResult>

/** Writes an organisation with one site in one transaction, and the rows that `addRows` adds. */
export async function seedOrganisation<T>(
  pool: pg.Pool,
  code: string,
  addRows: (run: Run, ids: { clientUid: string; siteUid: string }) => Promise<T>,
): Promise<T> {
  const client = await pool.connect()
  const [clientUid, siteUid] = [randomUUID(), randomUUID()]
  const run: Run = (text, ...values) => client.query(text, [clientUid, ...values])
  try {
    await client.query('begin')
    // the rows fit together by construction, and checking each foreign key takes most of the time
    await client.query('set local session_replication_role = replica')
    await run(`insert into client (uid, code, name, sms_allowed) values ($1, $2, $2, true)`, code)
    await run(`insert into site (client_uid, uid, code, name, timezone) values ($1, $2, 'S', 'Site', 'UTC')`, siteUid)
    const result = await addRows(run, { clientUid, siteUid })
    await client.query('commit')
    return result
  } catch (error) {
    await client.query('rollback')
    throw error
  } finally {
    client.release()
  }
}
