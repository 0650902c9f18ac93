import { runWithFolder } from './lib/with-folder.mjs'

await runWithFolder('server/src/import-main.ts')
