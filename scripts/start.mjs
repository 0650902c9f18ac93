import { buildWeb } from './lib/build-web.mjs'
import { prepare } from './lib/install.mjs'
import { main, run, withSettings } from './lib/run.mjs'

await main(async (args) => {
  const runtime = await prepare()
  if (args.length === 0) await buildWeb(runtime)
  const { code } = await run(runtime.node, withSettings('server/src/main.ts', ...args), { env: runtime.env })
  return code
})
