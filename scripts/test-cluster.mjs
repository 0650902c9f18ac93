import { prepare } from './lib/install.mjs'
import { main, run } from './lib/run.mjs'

/**
 * Runs two nodes under load while nodes are killed and restarted. With `--database`, the primary of a
 * replicated database is killed instead. Needs haproxy, and for the database what the run names.
 */
await main(async (args) => {
  const runtime = await prepare()
  const file = args.includes('--database') ? 'database-run.ts' : 'nodes-run.ts'
  const { code } = await run(runtime.node, [`bench/cluster/${file}`, ...args], { env: runtime.env })
  return code
})
