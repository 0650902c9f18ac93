import { runServerCommand } from './lib/server-command.mjs'

// `node scripts/command.mjs check-logs` runs server/commands/check-logs-main.ts, which needs no words of its own
await runServerCommand(`${process.argv.splice(2, 1)[0]}-main.ts`)
