import { readdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { brotliCompressSync, constants, gzipSync } from 'node:zlib'

const compressible = /\.(js|css|svg|webmanifest)$/

/** Compresses once, at the build, instead of at every request. */
export function compressFiles(dist) {
  for (const file of filesIn(dist).filter((name) => compressible.test(name))) {
    const text = readFileSync(file)
    writeWhole(`${file}.br`, brotliCompressSync(text, { params: { [constants.BROTLI_PARAM_SIZE_HINT]: text.length } }))
    writeWhole(`${file}.gz`, gzipSync(text, { level: 9 }))
  }
}

/** Writes under another name first, so that a full disk or a kill never leaves half a file under the final name. */
function writeWhole(file, bytes) {
  writeFileSync(`${file}.new`, bytes)
  renameSync(`${file}.new`, file)
}

function filesIn(folder) {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath ?? entry.path, entry.name))
}
