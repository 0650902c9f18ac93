import { mkdtemp, rm } from 'node:fs/promises'
import { join } from 'node:path'
import type { Config } from '#server/platform/config/config.ts'
import { folderStore } from '#server/platform/documents/document-folder.ts'
import { openDatabase } from '#server/platform/postgres/database.ts'
import { BackupError, type Manifest } from './backup-folder.ts'
import { restore } from './restore.service.ts'

const silent = { info: () => undefined, warn: () => undefined }

/**
 * Restores a backup into an empty database of its own in DATA_DIR, which it removes afterwards. Rows of each table, digests,
 * references and migrations are checked by the restore. Throws BackupError.
 */
export async function verifyBackup(
  folder: string,
  { dataDir, pgBinDir }: Pick<Config, 'dataDir' | 'pgBinDir'>,
): Promise<Manifest> {
  const trial = await mkdtemp(join(dataDir, 'trial-'))
  const settings = { databaseUrl: undefined, dataDir: trial, pgBinDir }
  try {
    const database = await openDatabase(settings, silent, { as: 'command', makesNew: true })
    const { connection } = database
    const restored = await restore({ connection, documents: folderStore(trial), folder, replace: false }).finally(
      database.stop,
    )
    return restored.manifest
  } catch (error) {
    throw new BackupError(`${folder} could not be restored into an empty database: ${(error as Error).message}`)
  } finally {
    await rm(trial, { recursive: true, force: true })
  }
}
