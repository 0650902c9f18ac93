import { spawnSync } from 'node:child_process'
import { buildWeb } from './lib/build-web.mjs'
import { prepare } from './lib/install.mjs'
import { at, main, run, Trouble } from './lib/run.mjs'

/**
 * `npm run test:scan` lets sqlmap and wapiti attack the server with its pages; `-- login` only the calls with that word,
 * `-- wapiti` the one program. SCAN_SECONDS gives texts, and each module of wapiti, other than 60 seconds.
 */
await main(async ([word]) => {
  const missing = ['sqlmap', 'wapiti'].filter((name) => spawnSync(name, ['--version']).error)
  if (missing.length > 0)
    throw new Trouble(
      `Not found: ${missing.join(', ')}. On Debian: apt-get install --no-install-recommends sqlmap wapiti`,
    )
  const runtime = await prepare()
  await buildWeb(runtime)
  const args = [at('node_modules/vitest/vitest.mjs'), 'run', '--project', 'scan', '--reporter', 'verbose']
  const { code } = await run(runtime.node, [...args, ...(word ? ['-t', word] : [])], { env: runtime.env })
  return code
})
