import { resolve } from 'node:path'
import { prepare } from './install.mjs'
import { main, run } from './lib/run.mjs'

await main(async (args) => {
  const runtime = await prepare()
  // the folder is named from where the command was typed; npm itself works in the project
  const from = process.env.INIT_CWD ?? process.cwd()
  const absolute = args.map((arg) => (arg.startsWith('--') ? arg : resolve(from, arg)))
  const { code } = await run(runtime.node, ['server/src/import-main.ts', ...absolute], { env: runtime.env })
  return code
})
