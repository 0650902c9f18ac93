import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import pg from 'pg'

const file = join(import.meta.dirname, '../../../docs/database-setup.sql')

/** Where a superuser of the server connects. */
interface Admin {
  host: string
  port: number
  user: string
  database: string
}

const own = { database: 'evac', owner: 'evac' }

/**
 * The product's database on the embedded server, with an ordinary owner as on any other server. Data folders of an
 * older version, which used the superuser and the database `postgres`, stay unchanged.
 */
export async function openOwnDatabase(admin: Admin): Promise<Admin> {
  const isOld = await connected(admin, async (client) => {
    const { rows } = await client.query<{ is_old: boolean }>(`select to_regclass('public.kysely_migration') is not null
      and not exists (select from pg_database where datname = '${own.database}') as is_old`)
    return rows[0]?.is_old
  })
  if (isOld) return admin
  await setUpDatabase(admin, own)
  return { ...admin, user: own.owner, database: own.database }
}

/**
 * Runs docs/database-setup.sql as psql would. Supports variables, `\connect` and `\gexec`, and no other psql command.
 * Processes that start at once take turns.
 */
export async function setUpDatabase(admin: Admin, names: { database: string; owner: string }): Promise<void> {
  const text = withVariables(readFileSync(file, 'utf8'), names).replace(/^\\set .*$/m, '')
  const [outside = '', inside = ''] = text.split(/^\\connect .*$/m)
  await connected(admin, async (client) => {
    await client.query(`select pg_advisory_lock(hashtext('evac_setup'))`)
    const pieces = outside.split('\\gexec')
    const last = pieces.pop() as string
    for (const piece of pieces) await runAnswer(client, piece)
    await client.query(last)
    await connected({ ...admin, database: names.database }, (there) => there.query(inside))
  })
}

/** `\gexec`: runs the statements that the last statement returned. */
async function runAnswer(client: pg.Client, piece: string) {
  const end = piece.lastIndexOf(';') + 1
  await client.query(piece.slice(0, end))
  const { rows } = await client.query<string[]>({ text: piece.slice(end), rowMode: 'array' })
  for (const statement of rows.flat()) await client.query(statement)
}

const withVariables = (text: string, values: Record<string, string>) =>
  text.replace(/(?<!:):(["'])(\w+)\1/g, (_, quote, name) => {
    const value = values[name] ?? ''
    return quote === '"' ? pg.escapeIdentifier(value) : pg.escapeLiteral(value)
  })

async function connected<T>(admin: Admin, work: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client({ ...admin, application_name: 'evac_setup' })
  client.on('error', () => undefined) // the pending query reports the error
  try {
    await client.connect()
    return await work(client)
  } finally {
    await client.end()
  }
}
