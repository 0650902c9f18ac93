import { buildWeb } from './lib/build-web.mjs'
import { prepare } from './lib/install.mjs'
import { main, run } from './lib/run.mjs'

/** Runs two nodes behind one address until ^C. */
await main(async (args) => {
  const runtime = await prepare()
  await buildWeb(runtime)
  const { code } = await run(runtime.node, ['bench/cluster/up.ts', ...args], { env: runtime.env })
  return code
})
