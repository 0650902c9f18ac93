import { prepare } from './lib/install.mjs'
import { at, main, run, runTogether, withSettings } from './lib/run.mjs'

await main(async () => {
  const { node, env } = await prepare()
  return runTogether(
    () => run(node, ['--watch', ...withSettings('server/main.ts')], { env }),
    () => run(node, [at('node_modules/vite/bin/vite.js')], { env, cwd: at('web') }),
  )
})
