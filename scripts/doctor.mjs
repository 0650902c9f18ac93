import { runServerCommand } from './lib/server-command.mjs'

await runServerCommand('doctor-main.ts')
