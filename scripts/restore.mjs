import { runWithFolder } from './lib/with-folder.mjs'

await runWithFolder('server/src/commands/backup-main.ts', 'restore')
