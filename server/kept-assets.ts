import { randomUUID } from 'node:crypto'
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import type { Logger } from 'pino'

/** Phones keep a page for a day, and that page may ask for its files after another version has been installed. */
const keptForMs = 24 * 3_600_000
const stamp = '.last-build'

/** The folder of the kept assets, which a new release folder or a new container takes over. */
export const keptAssetsIn = (dataDir: string) => join(dataDir, 'assets')

/**
 * Copies the assets of this build into the data folder. Deletes those of earlier builds whose day is over. The day begins
 * when another build is started. Warns if the folder is not writable.
 */
export function keepAssets(built: string, dataDir: string, log: Pick<Logger, 'warn'>, now = new Date()): void {
  if (!existsSync(built)) return
  try {
    keep(built, keptAssetsIn(dataDir), now)
  } catch (error) {
    log.warn({ err: error }, 'The files of the web app could not be kept for the time after the next upgrade')
  }
}

function keep(built: string, folder: string, now: Date) {
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  const own = new Set(readdirSync(built))

  // 1. the day of the build that this one replaces begins
  const started = existsSync(join(folder, stamp)) ? readFileSync(join(folder, stamp), 'utf8').split('\n') : []
  const replaced = started.filter((name) => !own.has(name) && existsSync(join(folder, name)))
  for (const name of replaced) utimesSync(join(folder, name), now, now)

  // 2. the names of assets change with their content: what is there already is the same
  for (const name of own) if (!existsSync(join(folder, name))) copyWhole(join(built, name), join(folder, name))
  writeFileSync(join(folder, stamp), [...own].join('\n'))

  // 3. what was replaced more than a day ago
  const others = readdirSync(folder).filter((name) => name !== stamp && !own.has(name))
  for (const name of others)
    if (now.getTime() - statSync(join(folder, name)).mtimeMs > keptForMs) rmSync(join(folder, name))
}

/** Nodes may share the folder: none of them ever serves half a file. */
function copyWhole(from: string, to: string) {
  const unfinished = `${to}.${randomUUID()}.new`
  copyFileSync(from, unfinished)
  renameSync(unfinished, to)
}
