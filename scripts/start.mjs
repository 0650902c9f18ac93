import { buildWeb } from './lib/build-web.mjs'
import { prepare } from './lib/install.mjs'
import { main, run, withSettings } from './lib/run.mjs'

await main(async (args) => {
  const runtime = await prepare()
  if (args.length === 0) await buildWeb(runtime)
  // a young space of 16 MB: docs/scaling.md, memory of sockets
  const program = ['--max-semi-space-size=16', ...withSettings('server/main.ts', ...args)]
  const { code } = await run(runtime.node, program, { env: runtime.env })
  return code
})
