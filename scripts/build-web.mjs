import { createHash } from 'node:crypto'
import { existsSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { brotliCompressSync, constants, gzipSync } from 'node:zlib'
import { step } from './lib/progress.mjs'
import { at, run, Trouble } from './lib/run.mjs'

/** Everything that ends up in the built app; its hash is kept beside the result. */
const sources = [
  'web/src',
  'web/public',
  'web/index.html',
  'web/vite.config.ts',
  'web/first-load.ts',
  'web/lean-router.ts',
  'web/page-files.ts',
  'web/contract-for-browsers.ts',
  'contract/src',
  'package-lock.json',
]
const dist = at('web/dist')
const stamp = join(dist, '.stamp')
/** A phone that holds the page of an earlier build may still ask for its assets. */
const keepAssetsMs = 7 * 24 * 3_600_000

export async function buildWeb(runtime) {
  const hash = hashSources()
  if (existsSync(stamp) && readFileSync(stamp, 'utf8') === hash) return
  await step('Building the web app', async () => {
    rmSync(stamp, { force: true })
    dropOldAssets()
    const vite = [at('node_modules/vite/bin/vite.js'), 'build', '--emptyOutDir', 'false']
    const { code, output } = await run(runtime.node, vite, { cwd: at('web'), env: runtime.env, quiet: true })
    if (code !== 0) throw new Trouble(`${output.trim()}\nThe web app could not be built: the reason stands above.`)
    compressFiles()
    writeFileSync(stamp, hash) // last: without it the build counts as not done
  })
}

function dropOldAssets() {
  for (const file of filesIn(join(dist, 'assets'))) if (Date.now() - statSync(file).mtimeMs > keepAssetsMs) rmSync(file)
}

/** Once, here, instead of at every request on the machine that runs an evacuation. */
function compressFiles() {
  for (const file of filesIn(dist).filter((name) => /\.(js|css|svg|webmanifest)$/.test(name))) {
    // The name of an asset changes with its text; boot.js and its neighbours keep theirs.
    if (file.startsWith(join(dist, 'assets')) && existsSync(`${file}.br`)) continue
    const text = readFileSync(file)
    writeFileSync(
      `${file}.br`,
      brotliCompressSync(text, { params: { [constants.BROTLI_PARAM_SIZE_HINT]: text.length } }),
    )
    writeFileSync(`${file}.gz`, gzipSync(text, { level: 9 }))
  }
}

function filesIn(folder) {
  if (!existsSync(folder)) return []
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath ?? entry.path, entry.name))
}

function hashSources() {
  const hash = createHash('sha256')
  for (const file of sources.flatMap(filesOf)) hash.update(`${file}\0`).update(readFileSync(at(file)))
  return hash.digest('hex')
}

function filesOf(path) {
  if (!existsSync(at(path))) return []
  if (/\.[a-z]+$/.test(path)) return [path]
  return readdirSync(at(path), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && !/\.test\.tsx?$/.test(entry.name))
    .map((entry) => join(entry.parentPath ?? entry.path, entry.name).slice(at().length + 1))
    .sort()
}
