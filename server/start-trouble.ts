import type { Config } from './platform/config/config.ts'
import { ConfigError } from './platform/config/read-setting.ts'
import { isDatabaseAway } from './platform/db/db.ts'
import { DatabaseTrouble } from './platform/postgres/database.ts'

/** What went wrong at a start and how to fix it, in one or two sentences. */
export function explainStart(error: unknown, config: Config | undefined): string {
  if (error instanceof ConfigError || error instanceof DatabaseTrouble) return error.message
  const { code, syscall, message, stack } = error as NodeJS.ErrnoException
  if (code === 'EADDRINUSE')
    return `Port ${config?.port} is taken. Stop the other program, or choose another port: PORT=8081 npm start`
  if (code === 'EACCES' && syscall === 'listen')
    return `Port ${config?.port} needs root. Choose a port from 1024 up, behind your own proxy: PORT=8080 npm start`
  if (code === 'EACCES') return `${message}. Choose a folder you may write to: DATA_DIR=/path npm start`
  // an address with two IP addresses, such as localhost, fails with both and without a message
  if (config?.databaseUrl && isDatabaseAway(error))
    return `The database cannot be reached (${code ?? message}): check that it runs and that DATABASE_URL is right.`
  return config?.logLevel === 'debug' ? String(stack) : `Evac could not start: ${message}`
}
