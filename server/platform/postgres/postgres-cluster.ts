import { spawnSync } from 'node:child_process'
import { chownSync, existsSync, mkdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Account } from './postgres-account.ts'
import type { Binaries } from './postgres-binaries.ts'
import { moveIntoPlace, type PostgresFolder, removeUnfinished } from './postgres-folder.ts'

/** The whole environment of PostgreSQL's programs. Our variables must not change how they sort or tell time. */
export const postgresEnvironment = { PATH: '/usr/bin:/bin', LC_ALL: 'C', TZ: 'UTC' }

/** Creates the cluster on the first start. Atomic: a killed process leaves no partial cluster. */
export function ensureCluster({ dataDir, cluster }: PostgresFolder, binaries: Binaries, account: Account | undefined) {
  removeUnfinished(dataDir)
  const version = clusterVersion(cluster)
  if (version === undefined) return createCluster(cluster, binaries, account)
  if (version === binaries.version) return
  throw new Error(
    `${cluster} was made by PostgreSQL ${version}, but the binaries are version ${binaries.version}: ` +
      `set PG_BIN_DIR to the programs of version ${version}, or DATA_DIR to an empty folder.`,
  )
}

function clusterVersion(cluster: string): number | undefined {
  const file = join(cluster, 'PG_VERSION')
  return existsSync(file) ? Number(readFileSync(file, 'utf8')) : undefined
}

function createCluster(cluster: string, { binDir, version }: Binaries, account: Account | undefined) {
  const unfinished = `${cluster}.new-${process.pid}`
  mkdirSync(unfinished, { mode: 0o700 })
  if (account) chownSync(unfinished, account.uid, account.gid)
  const made = spawnSync(
    join(binDir, 'initdb'),
    ['-D', unfinished, '-U', 'postgres', '--auth=trust', '--encoding=UTF8', '--data-checksums', ...locale(version)],
    { ...account, env: postgresEnvironment, encoding: 'utf8' },
  )
  if (made.status !== 0)
    throw new Error(`The database could not be created: ${made.error?.message ?? made.stderr.trim()}`)
  moveIntoPlace(unfinished, cluster)
}

/** The builtin provider sorts the same on every system and never changes. It does not exist before version 17. */
function locale(version: number): string[] {
  if (version >= 17) return ['--locale-provider=builtin', '--builtin-locale=C.UTF-8', '--locale=C']
  return [process.platform === 'linux' ? '--locale=C.UTF-8' : '--locale=C']
}
