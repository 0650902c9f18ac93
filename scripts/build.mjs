import { buildWeb } from './lib/build-web.mjs'
import { prepare } from './lib/install.mjs'
import { main } from './lib/run.mjs'

/** Prepares everything that a start needs: Node 24, packages, the web app. */
await main(async () => {
  await buildWeb(await prepare())
})
