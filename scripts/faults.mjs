import { spawnSync } from 'node:child_process'
import { prepare } from './lib/install.mjs'
import { main, run } from './lib/run.mjs'

/**
 * Runs the clock steps, then the fault run. The fault run has its own mount namespace if the system allows it, so that
 * its small disk disappears with its processes, however they end.
 */
await main(async (args) => {
  const runtime = await prepare()
  const { code: clock } = await run(runtime.node, ['faults/clock-steps.ts'], { env: runtime.env })
  const mayMount = spawnSync('unshare', ['--mount', 'true']).status === 0
  const program = [runtime.node, 'faults/run.ts', ...args]
  const [command, ...rest] = mayMount ? ['unshare', '--mount', ...program] : program
  const { code } = await run(command, rest, { env: runtime.env })
  return clock || code
})
