import { spawnSync } from 'node:child_process'
import { prepare } from './install.mjs'
import { main, run } from './lib/run.mjs'

/** In a mount namespace of its own where the system allows one: the small disk goes with the processes, however they end. */
await main(async (args) => {
  const runtime = await prepare()
  const mayMount = spawnSync('unshare', ['--mount', 'true']).status === 0
  const program = [runtime.node, 'faults/run.ts', ...args]
  const [command, ...rest] = mayMount ? ['unshare', '--mount', ...program] : program
  const { code } = await run(command, rest, { env: runtime.env })
  return code
})
