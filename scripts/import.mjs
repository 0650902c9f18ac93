import { runWithFolder } from './lib/with-folder.mjs'

await runWithFolder('import-main.ts')
