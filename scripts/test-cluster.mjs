import { prepare } from './install.mjs'
import { main, run } from './lib/run.mjs'

/** Two nodes under load, while nodes and Redis are killed and restarted. Needs haproxy and redis-server. */
await main(async (args) => {
  const runtime = await prepare()
  const { code } = await run(runtime.node, ['bench/cluster/ordeal.ts', ...args], { env: runtime.env })
  return code
})
