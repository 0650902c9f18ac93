import { buildWeb } from './lib/build-web.mjs'
import { findChromium } from './lib/chromium.mjs'
import { prepare } from './lib/install.mjs'
import { main, run } from './lib/run.mjs'

/** Plays a whole evacuation with 60 phones, pictures it, and compares the last figures with the record of the event. */
await main(async (args) => {
  const runtime = await prepare()
  await buildWeb(runtime)
  const env = { ...runtime.env, CHROME_PATH: await findChromium(runtime) }
  const { code } = await run(runtime.node, ['e2e/film/film.ts', ...args], { env })
  return code
})
