import { buildWeb } from '../lib/build-web.mjs'
import { prepare } from '../lib/install.mjs'
import { main, run } from '../lib/run.mjs'

/** `npm run test:cells` starts two installations, each with a database of its own, and their directory, and tries what holds between them. */
await main(async () => {
  const runtime = await prepare()
  await buildWeb(runtime)
  const { code } = await run(runtime.node, ['bench/cells/cells-run.ts'], { env: runtime.env })
  return code
})
