import { existsSync, readdirSync, readFileSync, renameSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { brotliCompressSync, constants, gzipSync } from 'node:zlib'

/** A phone that holds the page of an earlier build, or a process that still serves it, may ask for its assets so long. */
const keepMs = 7 * 24 * 3_600_000
const compressible = /\.(js|css|svg|webmanifest)$/
const formsOf = (file) => [file, `${file}.br`, `${file}.gz`]

/** The week of the assets that are about to be replaced begins; what has had its week goes. */
export function retireAssets(folder, replaced) {
  const now = new Date()
  for (const file of replaced.flatMap((name) => formsOf(join(folder, name))))
    if (existsSync(file)) utimesSync(file, now, now)
  for (const file of filesIn(folder)) if (now - statSync(file).mtimeMs > keepMs) rmSync(file)
}

/** Those that a build has written. */
export function assetsSince(folder, time) {
  const own = filesIn(folder).filter((file) => !/\.(br|gz|new)$/.test(file) && statSync(file).mtimeMs >= time)
  return own.map((file) => file.slice(folder.length + 1))
}

/** Once, here, instead of at every request on the machine that runs an evacuation. */
export function compressFiles(dist) {
  for (const file of filesIn(dist).filter((name) => compressible.test(name))) {
    const [, br, gz] = formsOf(file)
    // The name of an asset changes with its text; boot.js and its neighbours keep theirs.
    if (file.startsWith(join(dist, 'assets')) && existsSync(br) && existsSync(gz)) continue
    const text = readFileSync(file)
    writeWhole(br, brotliCompressSync(text, { params: { [constants.BROTLI_PARAM_SIZE_HINT]: text.length } }))
    writeWhole(gz, gzipSync(text, { level: 9 }))
  }
}

/** A half that a full disk or a kill leaves would be taken for the whole, and stay. */
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
