import { resolve } from 'node:path'
import { type ParseArgsOptionsConfig, parseArgs } from 'node:util'
import { backUp } from '#features/operation/server/backup/backup.service.ts'
import { BackupError, type Manifest } from '#features/operation/server/backup/backup-folder.ts'
import { dropOldBackups, nextBackupIn } from '#features/operation/server/backup/kept-backups.ts'
import { noteBackup } from '#features/operation/server/backup/last-backup.ts'
import { type Restored, restore } from '#features/operation/server/backup/restore.service.ts'
import { verifyBackup } from '#features/operation/server/backup/verify.service.ts'
import { answersWords } from '../platform/command-line.ts'
import type { Config } from '../platform/config/config.ts'
import type { Connection } from '../platform/db/db.ts'
import type { DocumentStore } from '../platform/documents/document-store.ts'
import { openDocumentStore } from '../platform/documents/open-document-store.ts'
import { isOperatorError, withDatabase } from './with-database.ts'

const usage = `Usage: npm run backup -- FOLDER [--keep N] [--verify]
       npm run restore -- FOLDER [--replace] [--new-database]

backup writes a snapshot of all data into FOLDER while Evac runs. restore reads it back while Evac is stopped.
  --keep N         writes into a new folder inside FOLDER, and deletes all but the newest N backups there
  --verify         restores the backup into an empty database of its own in DATA_DIR, and removes that
  --replace        moves existing data to a separate schema; without it a database with data is rejected
  --new-database   creates the database in DATA_DIR if there is none and DATABASE_URL is not set
  --help, --version`

const words = process.argv.slice(2)
process.exitCode = answersWords(words, usage) ? 0 : await main(words)

/** Exit codes: 0 done, 1 failed with nothing changed, 2 wrong usage. */
async function main([command, ...args]: string[]): Promise<number> {
  const options = readArguments(command, args)
  if (!options) {
    console.error(usage)
    return 2
  }
  try {
    await withDatabase(async (connection, config) => {
      const documents = await openDocumentStore(config)
      if (command === 'backup') await makeBackup(connection, documents, config, options)
      else console.log(describeRestore(await restore({ connection, documents, ...options })))
    }, options)
    return 0
  } catch (error) {
    const isPlain = error instanceof BackupError || isOperatorError(error)
    const { message, stack } = error as Error
    console.error(isPlain ? message : `The ${command} failed, nothing was changed: ${stack}`)
    return 1
  }
}

type Options = NonNullable<ReturnType<typeof readArguments>>

/** A backup counts, and older ones are deleted, once it was verified. */
async function makeBackup(
  connection: Connection,
  documents: DocumentStore,
  config: Config,
  { folder: given, keep, verify }: Options,
): Promise<void> {
  const now = new Date()
  const folder = keep === undefined ? given : nextBackupIn(given, now)
  console.log(describeBackup(await backUp(connection, documents, folder), folder))
  if (verify) console.log(`${rowsOf(await verifyBackup(folder, config))} rows were restored on trial.`)
  noteBackup(config.dataDir)
  const dropped = keep === undefined ? 0 : await dropOldBackups(given, keep, now)
  if (dropped > 0) console.log(`Older backups that were deleted: ${dropped}.`)
}

function readArguments(command: string | undefined, args: string[]) {
  const flag = { type: 'boolean' } as const
  const ofBackup = { keep: { type: 'string' }, verify: flag } as const
  const ofRestore = { replace: flag, 'new-database': flag }
  try {
    const isBackup = command === 'backup'
    if (!isBackup && command !== 'restore') return undefined
    const options: ParseArgsOptionsConfig = isBackup ? ofBackup : ofRestore
    const { values, positionals } = parseArgs({ args, allowPositionals: true, options })
    const [folder, ...more] = positionals
    const { keep } = values
    if (!folder || more.length > 0 || (keep !== undefined && !/^[1-9]\d{0,3}$/.test(String(keep)))) return undefined
    return {
      folder: resolve(folder),
      keep: keep === undefined ? undefined : Number(keep),
      verify: values.verify === true,
      replace: values.replace === true,
      makesNew: values['new-database'] === true,
    }
  } catch {
    return undefined
  }
}

function rowsOf({ tables }: Manifest): string {
  return tables.reduce((sum, { rows }) => sum + rows, 0).toLocaleString('en')
}

function describeBackup(manifest: Manifest, folder: string): string {
  return (
    `${rowsOf(manifest)} rows and ${manifest.documents.length} documents are in ${folder}. ` +
    'The folder contains personal data: encrypt it before it leaves this machine.'
  )
}

function describeRestore({ manifest, aside, heldTexts }: Restored): string {
  return [
    `${rowsOf(manifest)} rows and ${manifest.documents.length} documents of ${manifest.createdAt} were restored.`,
    'Everyone has to sign in again. Links sent before are invalid.',
    heldTexts > 0 && `${heldTexts} texts that were queued in the backup will not be sent.`,
    aside && `The previous data is in the schema ${aside}; when you no longer need it: drop schema ${aside} cascade`,
  ]
    .filter(Boolean)
    .join('\n')
}
