import { runServerCommand } from './lib/server-command.mjs'

await runServerCommand('sign-everybody-out-main.ts')
