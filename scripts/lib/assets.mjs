import { existsSync, readdirSync, readFileSync, renameSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { brotliCompressSync, constants, gzipSync } from 'node:zlib'

/** How long a replaced asset is kept. Phones and processes with an earlier build may still ask for it. */
const keepMs = 7 * 24 * 3_600_000
const compressible = /\.(js|css|svg|webmanifest)$/
const formsOf = (file) => [file, `${file}.br`, `${file}.gz`]

/** Starts the week of the assets that are about to be replaced, and deletes those whose week is over. */
export function retireAssets(folder, replaced) {
  const now = new Date()
  for (const file of replaced.flatMap((name) => formsOf(join(folder, name))))
    if (existsSync(file)) utimesSync(file, now, now)
  for (const file of filesIn(folder)) if (now - statSync(file).mtimeMs > keepMs) rmSync(file)
}

/** The assets that a build has written since `time`. */
export function assetsSince(folder, time) {
  const own = filesIn(folder).filter((file) => !/\.(br|gz|new)$/.test(file) && statSync(file).mtimeMs >= time)
  return own.map((file) => file.slice(folder.length + 1))
}

/** Compresses once, at the build, instead of at every request. */
export function compressFiles(dist) {
  for (const file of filesIn(dist).filter((name) => compressible.test(name))) {
    const [, br, gz] = formsOf(file)
    // The name of an asset changes with its content. The names of boot.js and its neighbours do not.
    if (file.startsWith(join(dist, 'assets')) && existsSync(br) && existsSync(gz)) continue
    const text = readFileSync(file)
    writeWhole(br, brotliCompressSync(text, { params: { [constants.BROTLI_PARAM_SIZE_HINT]: text.length } }))
    writeWhole(gz, gzipSync(text, { level: 9 }))
  }
}

/** Writes under another name first, so that a full disk or a kill never leaves half a file under the final name. */
function writeWhole(file, bytes) {
  writeFileSync(`${file}.new`, bytes)
  renameSync(`${file}.new`, file)
}

function filesIn(folder) {
  if (!existsSync(folder)) return []
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath ?? entry.path, entry.name))
}
