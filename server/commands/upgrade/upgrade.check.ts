import { lastBackupIn } from '#features/operation/server/backup/last-backup.ts'
import { countRunning } from '#features/operation/server/metrics/operation.queries.ts'
import type { Config } from '../../platform/config/config.ts'
import type { Db } from '../../platform/db/db.ts'
import { listNewerMigrations, listPendingMigrations, refuseHalfRestored } from '../../platform/db/migrate.ts'
import { type Finding, fault, good, note, warning } from '../doctor/finding.ts'

/** Checks whether this version may take the database over, and whether now is the time. Changes nothing. */
export async function checkUpgrade(owner: Db, config: Pick<Config, 'dataDir'>): Promise<Finding[]> {
  await refuseHalfRestored(owner)
  const newer = await listNewerMigrations(owner)
  if (newer.length > 0)
    return [fault(`A newer version has migrated the database (${newer.join(', ')}): install that one`)]
  const pending = await listPendingMigrations(owner)
  if (pending === undefined) return [note('The database is empty: npm start makes it')]
  return [
    pending.length > 0
      ? good(`The first node migrates the database: ${pending.join(', ')}`)
      : good('The database needs no migration'),
    ...judgeBackup(lastBackupIn(config.dataDir)),
    ...(await findEvents(owner)),
  ]
}

/** Hours. Migrations only go forward. */
const oldestBackup = 24

function judgeBackup(at: Date | undefined): Finding[] {
  const isFresh = at && Date.now() - at.getTime() < oldestBackup * 3_600_000
  return isFresh
    ? []
    : [warning(`No backup of the last ${oldestBackup} hours is known: run npm run backup -- FOLDER --verify`)]
}

async function findEvents(owner: Db): Promise<Finding[]> {
  const counts = await countRunning(owner)
  const running = counts.reduce((sum, { count }) => sum + count, 0)
  if (running === 0) return [good('No event is running')]
  return [warning(`${running === 1 ? 'An event is' : `${running} events are`} running: upgrade when it has ended`)]
}

/** Judges the version that answers at APP_URL, if one does. Both are such as 0.2.0. */
export function judgeVersion(present: string | undefined, coming: string): Finding {
  if (present === undefined) return note(`No node answers at APP_URL, so its version is not known. This is ${coming}`)
  const [from, to] = [partsOf(present), partsOf(coming)]
  if (from.number > to.number)
    return fault(`${present} runs, and this is ${coming}: a version back is no upgrade (docs/upgrade.md)`)
  if (from.number === to.number) return note(`${present} runs already`)
  const isNext = from.major === to.major && to.minor - from.minor <= 1
  return isNext
    ? good(`From ${present} to ${coming}: restart node after node`)
    : warning(`From ${present} to ${coming}: stop all nodes first, as a version was left out (docs/upgrade.md)`)
}

function partsOf(version: string) {
  const [major = 0, minor = 0, patch = 0] = version.split('.').map(Number)
  return { major, minor, number: (major * 1_000 + minor) * 1_000 + patch }
}

/** What answers at APP_URL. Undefined: nothing of Evac does. */
export async function readPresentVersion(appUrl: string): Promise<string | undefined> {
  const answer = await fetch(`${appUrl}/version`, { signal: AbortSignal.timeout(10_000) }).catch(() => undefined)
  const body: unknown = await answer?.json().catch(() => undefined)
  if (typeof body !== 'object' || body === null || !('version' in body)) return undefined
  return /^\d+\.\d+\.\d+$/.test(String(body.version)) ? String(body.version) : undefined
}
