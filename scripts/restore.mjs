import { runWithFolder } from './lib/with-folder.mjs'

await runWithFolder('server/src/backup-main.ts', 'restore')
