import { resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { backUp } from '#features/operation/server/backup/backup.service.ts'
import { BackupError, type Manifest } from '#features/operation/server/backup/backup-folder.ts'
import { noteBackup } from '#features/operation/server/backup/last-backup.ts'
import { type Restored, restore } from '#features/operation/server/backup/restore.service.ts'
import { answersWords } from '../platform/command-line.ts'
import { openDocumentStore } from '../platform/documents/open-document-store.ts'
import { isOperatorError, withDatabase } from './with-database.ts'

const usage = `Usage: npm run backup -- FOLDER
       npm run restore -- FOLDER [--replace] [--new-database]

backup writes a snapshot of all data into FOLDER while Evac runs. restore reads it back while Evac is stopped.
  --replace        moves existing data to a separate schema; without it a database with data is rejected
  --new-database   creates the database in DATA_DIR if there is none and DATABASE_URL is not set
  --help, --version`

const words = process.argv.slice(2)
process.exitCode = answersWords(words, usage) ? 0 : await main(words)

/** Exit codes: 0 done, 1 failed with nothing changed, 2 wrong usage. */
async function main([command, ...args]: string[]): Promise<number> {
  const options = readArguments(args)
  if (!options || (command !== 'backup' && command !== 'restore')) {
    console.error(usage)
    return 2
  }
  try {
    await withDatabase(async (connection, config) => {
      const documents = await openDocumentStore(config)
      if (command !== 'backup')
        return console.log(describeRestore(await restore({ connection, documents, ...options })))
      console.log(describeBackup(await backUp(connection, documents, options.folder), options.folder))
      noteBackup(config.dataDir)
    }, options)
    return 0
  } catch (error) {
    const isPlain = error instanceof BackupError || isOperatorError(error)
    const { message, stack } = error as Error
    console.error(isPlain ? message : `The ${command} failed, nothing was changed: ${stack}`)
    return 1
  }
}

function readArguments(args: string[]) {
  try {
    const { values, positionals } = parseArgs({
      args,
      allowPositionals: true,
      options: { replace: { type: 'boolean' }, 'new-database': { type: 'boolean' } },
    })
    const [folder, ...more] = positionals
    if (!folder || more.length > 0) return undefined
    return {
      folder: resolve(folder),
      replace: values.replace ?? false,
      makesNew: values['new-database'] ?? false,
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
