import pg from 'pg'
import type { Connection } from '#server/platform/db/db.ts'
import type { DocumentStore } from '#server/platform/documents/document-store.ts'
import type { Secrets } from '#server/platform/secrets.ts'
import { version } from '#server/platform/version.ts'
import { findNewestMigration, listTables, writeAlike } from './catalogue.queries.ts'
import { findOrganisation, hasRunningEvent, listStorageKeys, noteExported, readRows } from './export-whole.queries.ts'
import { type PassKey, passKeyOf, toFile } from './factors.ts'
import { type Counts, format, type Header, WholeError, writeWhole } from './whole-file.ts'
import { type WholeTable, wholeTables } from './whole-tables.queries.ts'

export interface Exporting {
  connection: Connection
  documents: DocumentStore
  secrets: Secrets
  /** Where this installation is. */
  host: string
}

export interface Exported {
  counts: Counts
  /** Files that the store has lost. */
  lostDocuments: number
}

/**
 * Writes everything of the organisation into a file, in one snapshot, while the product runs. Without a passphrase second factors
 * are left out. Throws a WholeError: the code is unknown, an event runs, or the file is there.
 */
export async function exportWhole(
  { connection, documents, secrets, host }: Exporting,
  { code, path, passphrase }: { code: string; path: string; passphrase?: string | undefined },
): Promise<Exported> {
  const client = new pg.Client({ ...connection, application_name: 'evac_export' })
  client.on('error', () => undefined) // the pending query reports the error
  await client.connect()
  try {
    await client.query(writeAlike)
    await client.query('begin isolation level repeatable read read only')
    const organisation = await findOrganisation(client, code)
    if (!organisation) throw new WholeError(`No organisation has the code '${code}'.`)
    if (await hasRunningEvent(client, organisation.uid))
      throw new WholeError(`${code} has a running event: export it when the event has ended.`)
    const passKey = passphrase === undefined ? undefined : passKeyOf(passphrase)
    const header: Header = {
      evac: 'organisation',
      format,
      version,
      migration: await findNewestMigration(client),
      organisation,
      host,
      at: new Date().toISOString(),
      salt: passKey?.salt ?? null,
    }
    const found: Exported = { counts: { rows: {}, documents: 0 }, lostDocuments: 0 }
    await writeWhole(path, linesOf({ client, documents, secrets, passKey }, header, found), found.counts)
    await noteExported(client, organisation.uid)
    return found
  } finally {
    await client.end()
  }
}

interface Source extends Pick<Exporting, 'documents' | 'secrets'> {
  client: pg.Client
  passKey: PassKey | undefined
}

/** All lines but the last. Counts what it writes. */
async function* linesOf(source: Source, header: Header, found: Exported): AsyncGenerator<string> {
  const { client, passKey } = source
  yield JSON.stringify(header)
  for (const table of wholeTables(await listTables(client), header.organisation.uid)) {
    if (!passKey && ofFactors.includes(table.name)) continue
    yield JSON.stringify({ table: table.name, columns: table.columns.map(({ name }) => name) })
    let rows = 0
    for await (const row of readRows(client, table)) {
      rows++
      yield passKey && table.name === 'second_factor' ? sealed(row, table, source.secrets, passKey) : row
    }
    found.counts.rows[table.name] = rows
  }
  const keys = await listStorageKeys(client, header.organisation.uid)
  // documents may take longer than a snapshot should be kept
  await client.query('commit')
  for (const key of keys) yield* documentLines(source.documents, key, found)
}

const ofFactors = ['second_factor', 'recovery_code']

function sealed(row: string, { columns }: WholeTable, secrets: Secrets, passKey: PassKey): string {
  const values: (string | null)[] = JSON.parse(row)
  const at = (column: string) => columns.findIndex(({ name }) => name === column)
  const [account, secret] = [values[at('account_uid')] ?? '', values[at('secret')] ?? '']
  const forFile = toFile(secrets, passKey, Buffer.from(secret.slice(2), 'hex'), account)
  if (!forFile)
    throw new WholeError(
      'A second factor cannot be read with SECRET_KEY: see `npm run doctor`, or export without a passphrase.',
    )
  return JSON.stringify(values.with(at('secret'), `\\x${forFile.toString('hex')}`))
}

const pieceBytes = 192 * 1024

async function* documentLines(documents: DocumentStore, key: string, found: Exported): AsyncGenerator<string> {
  const file = await documents.read(key)
  if (!file) {
    found.lostDocuments++
    return
  }
  yield JSON.stringify({ document: key })
  let rest: Buffer = Buffer.alloc(0)
  for await (const chunk of file.body) {
    rest = Buffer.concat([rest, chunk])
    for (; rest.length >= pieceBytes; rest = rest.subarray(pieceBytes))
      yield JSON.stringify([rest.toString('base64', 0, pieceBytes)])
  }
  if (rest.length > 0) yield JSON.stringify([rest.toString('base64')])
  found.counts.documents++
}
