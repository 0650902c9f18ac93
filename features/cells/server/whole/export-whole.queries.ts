import type pg from 'pg'
import type { Header } from './whole-file.ts'
import type { WholeTable } from './whole-tables.queries.ts'

export async function findOrganisation(
  client: pg.ClientBase,
  code: string,
): Promise<Header['organisation'] | undefined> {
  const { rows } = await client.query<Header['organisation']>('select uid, code, name from client where code = $1', [
    code,
  ])
  return rows[0]
}

export async function hasRunningEvent(client: pg.ClientBase, clientUid: string): Promise<boolean> {
  const { rowCount } = await client.query('select from event where client_uid = $1 and ended_at is null limit 1', [
    clientUid,
  ])
  return rowCount === 1
}

export async function listStorageKeys(client: pg.ClientBase, clientUid: string): Promise<string[]> {
  const { rows } = await client.query<{ key: string }>(
    'select distinct storage_key as key from document where client_uid = $1 and storage_key is not null order by 1',
    [clientUid],
  )
  return rows.map(({ key }) => key)
}

/** The audit log says that everything has left. */
export async function noteExported(client: pg.ClientBase, clientUid: string): Promise<void> {
  await client.query(
    `insert into journal (client_uid, action, subject_type, subject_uid) values ($1, 'organisation_exported', 'organisation', $1)`,
    [clientUid],
  )
}

const pageBytes = 4_000_000
const mostRows = 2_000

/** The rows as JSON lists of texts, page by page: a row may have several megabytes. */
export async function* readRows(
  client: pg.ClientBase,
  { name, columns, condition }: WholeTable,
): AsyncGenerator<string> {
  const values = columns.map((column) => `"${column.name}"::text`).join(', ')
  await client.query(
    `declare rows no scroll cursor for select json_build_array(${values})::text as line from "${name}" where ${condition}`,
  )
  let next = 4
  for (;;) {
    const { rows } = await client.query<{ line: string }>(`fetch ${next} from rows`)
    if (rows.length === 0) break
    let bytes = 1
    for (const { line } of rows) {
      bytes += line.length
      yield line
    }
    // no more than four times as many as before, for the next rows may be larger
    next = Math.max(1, Math.min(mostRows, next * 4, Math.floor((pageBytes * rows.length) / bytes)))
  }
  await client.query('close rows')
}
