import { runServerCommand } from './lib/server-command.mjs'

await runServerCommand('organisation-main.ts')
