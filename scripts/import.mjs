import { runWithFolder } from './lib/with-folder.mjs'

await runWithFolder('server/src/commands/import-main.ts')
