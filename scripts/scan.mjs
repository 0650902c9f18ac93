import { spawnSync } from 'node:child_process'
import { buildWeb } from './lib/build-web.mjs'
import { prepare } from './lib/install.mjs'
import { at, main, run, Trouble } from './lib/run.mjs'

/**
 * `npm run test:scan` lets sqlmap and wapiti attack the server and its pages. `-- login` scans only the calls with that
 * word. `-- wapiti` runs only that program. SCAN_SECONDS changes the 60 seconds of each module of wapiti and of the
 * texts.
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
