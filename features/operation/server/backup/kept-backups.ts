import { readdir, rename, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { manifestFile } from './backup-folder.ts'

/** `evac-2026-11-28T031700Z`: in the order of their names they are in the order of time. */
const named = /^evac-\d{4}-\d\d-\d\dT\d{6}Z$/
const unfinishedOne = /^evac-\d{4}-\d\d-\d\dT\d{6}Z\.\d+\.(unfinished|dropping)$/
const dayMs = 86_400_000

/** The folder of a backup that is made now, among the others. */
export const nextBackupIn = (folder: string, now: Date): string =>
  join(folder, `evac-${now.toISOString().slice(0, 19).replaceAll(':', '')}Z`)

/**
 * Deletes all but the newest `keep` whole backups of the folder, and what killed runs left a day ago. Returns how many were
 * deleted. Touches nothing that has another name, and none without a manifest: a person should see it.
 */
export async function dropOldBackups(folder: string, keep: number, now: Date): Promise<number> {
  const names = (await readdir(folder)).sort()
  const whole: string[] = []
  for (const name of names.filter((one) => named.test(one)))
    if (await isWhole(join(folder, name))) whole.push(join(folder, name))
  const old = whole.slice(0, Math.max(0, whole.length - keep))
  for (const backup of old) {
    // renamed first, so that a run that is cut short leaves no half backup under a good name
    const dropping = `${backup}.${process.pid}.dropping`
    await rename(backup, dropping)
    await rm(dropping, { recursive: true })
  }
  for (const name of names.filter((one) => unfinishedOne.test(one)))
    if (now.getTime() - (await stat(join(folder, name))).mtimeMs > dayMs)
      await rm(join(folder, name), { recursive: true, force: true })
  return old.length
}

/** The manifest is written last. Whether the files are as they were is for a restore to find out: that reads all of them. */
const isWhole = (folder: string): Promise<boolean> =>
  stat(join(folder, manifestFile)).then(
    () => true,
    () => false,
  )
