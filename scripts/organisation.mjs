import { prepareServer } from './lib/install.mjs'
import { main, run, withSettings } from './lib/run.mjs'

await main(async (args) => {
  const runtime = await prepareServer()
  const { code } = await run(runtime.node, withSettings('server/src/commands/organisation-main.ts', ...args), {
    env: runtime.env,
  })
  return code
})
