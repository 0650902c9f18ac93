import { mkdirSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

const fileIn = (dataDir: string) => join(dataDir, 'last-backup')

/** Keeps the time at which a backup has ended, for the doctor. */
export function noteBackup(dataDir: string): void {
  mkdirSync(dataDir, { recursive: true, mode: 0o700 })
  writeFileSync(fileIn(dataDir), `${new Date().toISOString()}\n`)
}

/** Undefined if none has ended with this data folder. */
export const lastBackupIn = (dataDir: string): Date | undefined =>
  statSync(fileIn(dataDir), { throwIfNoEntry: false })?.mtime
