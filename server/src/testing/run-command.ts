import { execFile } from 'node:child_process'
import { join } from 'node:path'
import type { TestDatabase } from './database.ts'

/** Runs one of the server's commands on a test database, as a person at the terminal does. */
export function runCommand(program: string, { connection }: Pick<TestDatabase, 'connection'>, ...args: string[]) {
  if (!('host' in connection)) throw new Error('the test database is reached by its socket')
  const { host, port, user, database } = connection
  const env = {
    ...process.env,
    DATABASE_URL: `postgres://${user}@socket:${port}/${database}?host=${encodeURIComponent(host)}`,
  }
  const command = [join(import.meta.dirname, '..', program), ...args]
  return new Promise<{ code: unknown; stdout: string; stderr: string }>((done) =>
    execFile(process.execPath, command, { env }, (error, stdout, stderr) =>
      done({ code: error?.code ?? 0, stdout, stderr }),
    ),
  )
}
