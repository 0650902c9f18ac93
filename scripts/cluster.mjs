import { buildWeb } from './lib/build-web.mjs'
import { prepare } from './lib/install.mjs'
import { main, run } from './lib/run.mjs'

/** Two nodes behind one address, to look at and to break. */
await main(async (args) => {
  const runtime = await prepare()
  await buildWeb(runtime)
  const { code } = await run(runtime.node, ['bench/cluster/up.ts', ...args], { env: runtime.env })
  return code
})
