import { spawnSync } from 'node:child_process'
import { mkdirSync } from 'node:fs'
import { buildWeb } from '../lib/build-web.mjs'
import { prepare } from '../lib/install.mjs'
import { step } from '../lib/progress.mjs'
import { at, main, run, Trouble } from '../lib/run.mjs'

const version = 'v6.9.1'
const folder = at('.runtime/go/bin')
/** Built from source it would not know its version. */
const flags = `-X github.com/centrifugal/centrifugo/v6/internal/build.Version=${version.slice(1)}`

/**
 * `npm run test:centrifugo` builds Centrifugo and runs against it: what a phone may count on, and two nodes under load while
 * Centrifugo, Redis and nodes are killed. `-- clients` and `-- cluster` run one of them. Needs Go, and for the second haproxy. Without
 * Debian's redis-server the memory of Centrifugo is its engine.
 */
await main(async ([only]) => {
  if (spawnSync('go', ['version']).error) {
    console.error(
      `This needs Go, which builds Centrifugo ${version}: https://go.dev/doc/install. Its go.mod names the version.`,
    )
    return 2
  }
  const runtime = await prepare()
  await step(`Building Centrifugo ${version}`, () => build())
  const parts = {
    clients: [at('node_modules/vitest/vitest.mjs'), 'run', '--project', 'centrifugo'],
    cluster: ['bench/cluster/centrifugo-run.ts'],
  }
  if (only && !(only in parts)) throw new Trouble(`There is no part "${only}": use ${Object.keys(parts).join(', ')}.`)
  if (only !== 'clients') await buildWeb(runtime)
  for (const [name, words] of Object.entries(parts)) {
    if (only && only !== name) continue
    const { code } = await run(runtime.node, words, { env: runtime.env })
    if (code !== 0) return code
  }
  return 0
})

async function build() {
  mkdirSync(folder, { recursive: true })
  const words = ['install', '-ldflags', flags, `github.com/centrifugal/centrifugo/v6@${version}`]
  const { code, output } = await run('go', words, { quiet: true, env: { ...process.env, GOBIN: folder } })
  if (code !== 0) throw new Trouble(output.trim())
}
