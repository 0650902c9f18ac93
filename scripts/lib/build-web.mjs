import { createHash } from 'node:crypto'
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { compressFiles } from './assets.mjs'
import { step } from './progress.mjs'
import { at, run, Trouble } from './run.mjs'

/** Everything that the built app is made from. The hash is stored beside the result. */
const sources = ['kernel', 'features', 'web', 'package-lock.json']
const isOther = /\.test\.tsx?$|\.md$|^features\/[^/]+\/server\/|^web\/(dist|\.vite)\//
const dist = at('web/dist')
const stamp = join(dist, '.stamp')

export async function buildWeb(runtime) {
  const hash = hashSources()
  if (existsSync(stamp) && readFileSync(stamp, 'utf8') === hash) return
  await step('Building the web app', async () => {
    // A product that is running serves the assets it was started with from its data folder (server/kept-assets.ts).
    // The second one adds the page of wall screens to what the first one made.
    for (const config of ['vite.config.ts', 'wall.config.ts']) {
      const vite = [at('node_modules/vite/bin/vite.js'), 'build', '--config', config]
      const { code, output } = await run(runtime.node, vite, { cwd: at('web'), env: runtime.env, quiet: true })
      if (code !== 0) throw new Trouble(`${output.trim()}\nThe web app could not be built: the reason is above.`)
    }
    compressFiles(dist)
    writeFileSync(stamp, hash) // last: without the stamp the build is repeated
  })
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
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath ?? entry.path, entry.name).slice(at().length + 1))
    .filter((file) => !isOther.test(file))
    .sort()
}
