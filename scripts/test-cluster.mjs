import { prepare } from './lib/install.mjs'
import { main, run } from './lib/run.mjs'

/**
 * Two nodes under load, while nodes and Redis are killed and restarted; with `--database`, while the primary of a database
 * that stands twice is. Needs haproxy and redis-server, or what the second names.
 */
await main(async (args) => {
  const runtime = await prepare()
  const file = args.includes('--database') ? 'database-run.ts' : 'nodes-run.ts'
  const { code } = await run(runtime.node, [`bench/cluster/${file}`, ...args], { env: runtime.env })
  return code
})
