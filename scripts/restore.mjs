import { runWithFolder } from './lib/with-folder.mjs'

await runWithFolder('backup-main.ts', 'restore')
