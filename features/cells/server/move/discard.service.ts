import pg from 'pg'
import type { Connection } from '#server/platform/db/db.ts'
import { listTables } from '../whole/catalogue.queries.ts'
import { WholeError } from '../whole/whole-file.ts'
import { wholeTables } from '../whole/whole-tables.queries.ts'
import { deleteRows, findCopy } from './discard.queries.ts'

/**
 * Takes away the copy of an organisation that was brought in here and never used, as a move that failed leaves one. False: there is
 * none. Throws a WholeError if it is in use, or was.
 */
export async function discardCopy(connection: Connection, code: string): Promise<boolean> {
  const client = new pg.Client({ ...connection, application_name: 'evac_discard' })
  client.on('error', () => undefined) // the pending query reports the error
  await client.connect()
  try {
    await client.query('begin; set constraints all deferred; set local statement_timeout to 0')
    const copy = await findCopy(client, code)
    if (!copy) return false
    if (!copy.isUnused) throw new WholeError(`${code} is in use here, or was: nothing was changed.`)
    const tables = await listTables(client)
    await deleteRows(client, { uid: copy.uid, tables, whole: wholeTables(tables, copy.uid) })
    await client.query('commit')
    return true
  } finally {
    await client.end()
  }
}
