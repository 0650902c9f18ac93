import { createWriteStream } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import pg from 'pg'
import { epochOfMoved } from '#features/log/server/sealing.queries.ts'
import { foreignTransactions } from '#server/platform/db/journal-horizon.ts'
import { idOfKey, keyring } from '#server/platform/secrets.ts'
import { version } from '#server/platform/version.ts'
import { findNewestMigration, listTables, writeAlike } from './catalogue.queries.ts'
import type { Exporting } from './export-whole.service.ts'
import { fromFile, passKeyOf } from './factors.ts'
import * as queries from './import-whole.queries.ts'
import { type Counts, damaged, type Header, readWhole, WholeError } from './whole-file.ts'
import { isShared, type WholeTable, wholeTables } from './whole-tables.queries.ts'

/** Of the installation that takes the organisation. */
export type Importing = Omit<Exporting, 'host'>

export interface Asked {
  path: string
  passphrase?: string | undefined
  /** The last step holds back live updates of the installation: not while an event runs, unless the operator says so. */
  evenInEvent?: boolean
  /** No one may use it until it is resumed. */
  suspended?: boolean
}

export interface Imported {
  header: Header
  counts: Counts
  /** Recovery codes that no SECRET_KEY of this installation has made. */
  droppedCodes: number
}

/**
 * Brings an organisation in from a file, all of it or nothing. Its rows wait in tables of this connection and are checked there; one
 * transaction then moves them. Throws a WholeError: the file is damaged or of another version, its organisation or code is here, the
 * passphrase is another one, or an event runs.
 */
export async function importWhole(importing: Importing, asked: Asked): Promise<Imported> {
  const { header, counts } = await readCounts(asked.path)
  const client = new pg.Client({ ...importing.connection, application_name: 'evac_import' })
  client.on('error', () => undefined) // the pending query reports the error
  await client.connect()
  try {
    await client.query(writeAlike)
    await refuse(client, header, asked)
    const all = wholeTables(await listTables(client), header.organisation.uid)
    await queries.makeWaitingTables(client, all)
    await fill(client, importing, { path: asked.path, tables: all, counts })
    await checkWaiting(client, all, counts)
    const droppedCodes = await makeReady(client, importing, { tables: all, header, passphrase: asked.passphrase })
    if (asked.suspended) await queries.suspendWaiting(client)
    // one may have begun since
    await refuseInEvent(client, asked.evenInEvent)
    await bringAllIn(client, header, all)
    return { header, counts, droppedCodes }
  } finally {
    await client.end()
  }
}

/** Reads the whole file once, so that nothing of a damaged one is loaded. */
async function readCounts(path: string): Promise<{ header: Header; counts: Counts }> {
  let header: Header | undefined
  let counts: Counts | undefined
  for await (const line of readWhole(path)) {
    if (typeof line === 'string') continue
    if ('header' in line) header = line.header
    if ('footer' in line) counts = line.footer
  }
  if (!header || !counts) throw damaged(path)
  return { header, counts }
}

async function refuse(client: pg.Client, header: Header, { passphrase, evenInEvent }: Asked): Promise<void> {
  const { organisation } = header
  if (header.version !== version || header.migration !== (await findNewestMigration(client)))
    throw new WholeError(
      `The file was made by Evac ${header.version} (${header.migration}), and this is ${version}: bring both installations to the same version, and export again.`,
    )
  if (!(await queries.takeTurn(client)))
    throw new WholeError('Another organisation is being imported: wait until that is done.')
  const present = await queries.findPresent(client, organisation)
  if (present?.uid === organisation.uid)
    throw new WholeError(`${organisation.code} is here already (${present.name}): nothing was changed.`)
  if (present)
    throw new WholeError(`The code ${organisation.code} is in use here by ${present.name}: nothing was changed.`)
  if (header.salt !== null && passphrase === undefined)
    throw new WholeError('The file holds second factors: name the file of its passphrase with --passphrase-file.')
  await refuseInEvent(client, evenInEvent)
}

async function refuseInEvent(client: pg.Client, evenInEvent = false): Promise<void> {
  const events = evenInEvent ? 0 : await queries.countRunningEvents(client)
  if (events > 0)
    throw new WholeError(
      `Events run here (${events}), and the last step holds back live updates for up to a minute. Wait, or add --even-in-event.`,
    )
}

const batchRows = 2_000
const batchLetters = 4_000_000

/** Rows wait in their tables, documents are kept under their names, which say what is in them. */
async function fill(
  client: pg.Client,
  { documents }: Importing,
  { path, tables, counts }: { path: string; tables: readonly WholeTable[]; counts: Counts },
): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'evac-whole-'))
  let known: string[] | undefined
  let kept = 0
  try {
    for await (const { mark, content } of sectionsOf(path)) {
      if ('table' in mark) {
        const table = tables.find(({ name }) => name === mark.table)
        if (!table || table.columns.map(({ name }) => name).join() !== mark.columns.join()) throw damaged(path)
        for await (const lines of inBatches(content)) await queries.addRows(client, table, lines)
        continue
      }
      known ??= await queries.listWaitingKeys(client)
      if (!known.includes(mark.document)) throw damaged(path)
      const file = join(folder, 'document')
      await pipeline(Readable.from(bytesOf(content)), createWriteStream(file, { mode: 0o600 }))
      await documents.keep(mark.document, file)
      kept++
    }
  } finally {
    await rm(folder, { recursive: true })
  }
  if (kept !== counts.documents) throw damaged(path)
}

interface Section {
  mark: { table: string; columns: string[] } | { document: string }
  content: AsyncGenerator<string>
}

/** The parts of a file, each with its lines. They have to be read to their ends. */
async function* sectionsOf(path: string): AsyncGenerator<Section> {
  const lines = readWhole(path)
  let mark: Section['mark'] | undefined
  async function* content(): AsyncGenerator<string> {
    mark = undefined
    for (;;) {
      const { value, done } = await lines.next()
      if (done) return
      if (typeof value === 'string') yield value
      else if ('table' in value || 'document' in value) {
        mark = value
        return
      }
    }
  }
  try {
    for await (const _ of content()) throw damaged(path) // before the first table
    while (mark) yield { mark, content: content() }
  } finally {
    await lines.return(undefined)
  }
}

async function* inBatches(lines: AsyncIterable<string>): AsyncGenerator<string[]> {
  let batch: string[] = []
  let letters = 0
  for await (const line of lines) {
    batch.push(line)
    letters += line.length
    if (batch.length < batchRows && letters < batchLetters) continue
    yield batch
    batch = []
    letters = 0
  }
  if (batch.length > 0) yield batch
}

async function* bytesOf(pieces: AsyncIterable<string>): AsyncGenerator<Buffer> {
  for await (const piece of pieces) yield Buffer.from(JSON.parse(piece)[0], 'base64')
}

/** As many rows as the file says, and all of them of this organisation: anyone who can change a file can count again. */
async function checkWaiting(client: pg.Client, tables: readonly WholeTable[], { rows }: Counts): Promise<void> {
  for (const { name } of tables) {
    const found = await queries.countWaiting(client, name)
    if (found !== (rows[name] ?? 0)) throw new WholeError(`${name}: ${found} of ${rows[name] ?? 0} rows were read.`)
  }
  const foreign = await queries.findForeign(client, tables)
  if (foreign)
    throw new WholeError(`The file has a row of ${foreign} that is not of its organisation: nothing was changed.`)
}

/** Makes of the rows what holds here. Returns how many recovery codes do not. */
async function makeReady(
  client: pg.Client,
  { secrets }: Importing,
  { tables, header, passphrase }: { tables: readonly WholeTable[]; header: Header; passphrase: string | undefined },
): Promise<number> {
  await queries.makeSafe(client, tables)
  await queries.moveLogs(client, { host: header.host, epoch: epochOfMoved, limit: foreignTransactions })
  if (header.salt !== null && passphrase !== undefined) {
    const passKey = passKeyOf(passphrase, header.salt)
    for (const { accountUid, secret } of await queries.listFactors(client)) {
      const own = fromFile(secrets, passKey, secret, accountUid)
      if (!own)
        throw new WholeError('The passphrase does not open the second factors of this file: nothing was changed.')
      await queries.setFactor(client, accountUid, own)
    }
  }
  return queries.dropStrangeCodes(client, keyring(secrets, 'recoveryCodes').map(idOfKey))
}

async function bringAllIn(
  client: pg.Client,
  { organisation, host }: Header,
  tables: readonly WholeTable[],
): Promise<void> {
  await queries.makeRoom(client, tables)
  await client.query('begin; set constraints all deferred')
  for (const table of tables) {
    const waiting = await queries.countWaiting(client, table.name)
    const brought = await queries.bringIn(client, table).catch((error) => {
      if (error instanceof queries.Meets) throw new WholeError(`${error.message} Nothing was changed.`)
      throw error
    })
    if (brought !== waiting && !isShared(table.name))
      throw new WholeError(`${table.name}: ${brought} of ${waiting} rows came. Nothing was changed.`)
  }
  await queries.noteImported(client, organisation.uid, host)
  await client.query('commit')
}
