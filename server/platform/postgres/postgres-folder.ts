import { createHash } from 'node:crypto'
import {
  accessSync,
  chmodSync,
  chownSync,
  closeSync,
  constants,
  fsyncSync,
  lstatSync,
  mkdirSync,
  openSync,
  readdirSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { type Account, closedFolder } from './postgres-account.ts'

/** The paths of one embedded database. */
export interface PostgresFolder {
  dataDir: string
  /** PostgreSQL's data directory. */
  cluster: string
  socketDir: string
  logFile: string
}

/** A socket address holds 104 bytes on macOS and 108 on Linux, including the closing zero. */
const longestSocketPath = 103

export function prepareFolder(given: string, account: Account | undefined): PostgresFolder {
  const dataDir = writableFolder(given)
  if (account) openToAccount(dataDir)
  else closeToOthers(dataDir)
  const closed = account && closedFolder(dataDir, account)
  if (closed) {
    throw new Error(
      `PostgreSQL runs as "${account.name}", which cannot enter ${closed}: set DATA_DIR to a folder outside it.`,
    )
  }
  const cluster = join(dataDir, 'postgres')
  refuseForeignCluster(cluster, account)
  return { dataDir, cluster, socketDir: prepareSocketDir(dataDir, account), logFile: join(dataDir, 'postgres.log') }
}

/** Moves a finished folder to its final place. If another process was first, our folder is deleted. */
export function moveIntoPlace(unfinished: string, place: string) {
  try {
    renameSync(unfinished, place)
  } catch (error) {
    if (!hasCode(error, 'ENOTEMPTY', 'EEXIST')) throw error
    rmSync(unfinished, { recursive: true })
  }
  const parent = openSync(dirname(place), 'r')
  fsyncSync(parent)
  closeSync(parent)
}

/** Deletes `<place>.new-<pid>` folders of killed processes. */
export function removeUnfinished(dataDir: string) {
  for (const name of readdirSync(dataDir)) {
    const pid = Number(/\.new-(\d+)$/.exec(name)?.[1])
    if (pid && !processExists(pid)) rmSync(join(dataDir, name), { recursive: true })
  }
}

export function hasCode(error: unknown, ...codes: string[]): boolean {
  return error instanceof Error && codes.includes((error as NodeJS.ErrnoException).code ?? '')
}

export function processExists(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return hasCode(error, 'EPERM')
  }
}

function writableFolder(path: string): string {
  try {
    mkdirSync(path, { recursive: true, mode: 0o700 })
    accessSync(path, constants.R_OK | constants.W_OK | constants.X_OK)
    return realpathSync(path)
  } catch (error) {
    if (!(error instanceof Error)) throw error
    throw new Error(
      `The data folder cannot be used (${error.message}): set DATA_DIR to a folder that this account may write to.`,
    )
  }
}

/**
 * As root, the database's account must be able to enter. The contents of the data folder have their own permissions.
 */
function openToAccount(dataDir: string) {
  const { mode, uid } = statSync(dataDir)
  if (uid === process.getuid?.() && (mode & 0o001) === 0) chmodSync(dataDir, (mode & 0o777) | 0o011)
}

function closeToOthers(dataDir: string) {
  const { mode, uid } = statSync(dataDir)
  if (uid === process.getuid?.() && (mode & 0o077) !== 0) chmodSync(dataDir, 0o700)
}

function refuseForeignCluster(cluster: string, account: Account | undefined) {
  const owner = statSync(cluster, { throwIfNoEntry: false })?.uid
  const uid = account ? account.uid : process.getuid?.()
  if (owner === undefined || owner === uid) return
  throw new Error(
    `${cluster} belongs to another account (uid ${owner}): run this as that account, or set DATA_DIR to another folder.`,
  )
}

/** Only the database's account may enter this folder, so the database needs no password. */
function prepareSocketDir(dataDir: string, account: Account | undefined): string {
  const near = join(dataDir, 'socket')
  const path = isShortEnough(near)
    ? near
    : join(tmpdir(), `evac-${createHash('sha256').update(dataDir).digest('hex').slice(0, 12)}`)
  if (!isShortEnough(path))
    throw new Error(`The path ${path} is too long for a socket: set DATA_DIR to a shorter path.`)
  const uid = account ? account.uid : process.getuid?.()
  if (mkdirIfMissing(path) && account) chownSync(path, account.uid, account.gid)
  const made = lstatSync(path)
  if (made.isDirectory() && made.uid === uid && (made.mode & 0o077) === 0) return path
  throw new Error(`${path} was not created by this program: remove it, or set DATA_DIR to another folder.`)
}

function isShortEnough(socketDir: string): boolean {
  return Buffer.byteLength(join(socketDir, '.s.PGSQL.5432')) <= longestSocketPath
}

function mkdirIfMissing(path: string): boolean {
  try {
    mkdirSync(path, { mode: 0o700 })
    return true
  } catch (error) {
    if (hasCode(error, 'EEXIST')) return false
    throw error
  }
}
