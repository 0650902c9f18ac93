import { createHash } from 'node:crypto'
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { assetsSince, compressFiles, retireAssets } from './assets.mjs'
import { step } from './progress.mjs'
import { at, run, Trouble } from './run.mjs'

/** Everything that the built app is made from. The hash is stored beside the result. */
const sources = [
  'web/src',
  'web/public',
  'web/index.html',
  'web/vite.config.ts',
  'web/first-load.ts',
  'web/page-files.ts',
  'contract/src',
  'package-lock.json',
]
const dist = at('web/dist')
const assets = join(dist, 'assets')
const stamp = join(dist, '.stamp')

export async function buildWeb(runtime) {
  const hash = hashSources()
  const [builtFrom, ...named] = existsSync(stamp) ? readFileSync(stamp, 'utf8').split('\n') : []
  if (builtFrom === hash) return
  const replaced = named.length > 0 ? named : assetsSince(assets, 0)
  await step('Building the web app', async () => {
    retireAssets(assets, replaced)
    if (builtFrom) writeStamp('', replaced)
    const start = Date.now()
    const vite = [at('node_modules/vite/bin/vite.js'), 'build', '--emptyOutDir', 'false']
    const { code, output } = await run(runtime.node, vite, { cwd: at('web'), env: runtime.env, quiet: true })
    if (code !== 0) throw new Trouble(`${output.trim()}\nThe web app could not be built: the reason is above.`)
    compressFiles(dist)
    writeStamp(hash, assetsSince(assets, start)) // last: without the stamp the build is repeated
  })
}

/** Stores the hash of the sources and the names of the assets. */
const writeStamp = (hash, names) => writeFileSync(stamp, [hash, ...names].join('\n'))

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
