import { buildWeb } from './build-web.mjs'
import { prepare } from './install.mjs'
import { main, run } from './lib/run.mjs'

await main(async (args) => {
  const runtime = await prepare()
  await buildWeb(runtime)
  const { code } = await run(runtime.node, ['bench/run.ts', ...args], { env: runtime.env })
  return code
})
