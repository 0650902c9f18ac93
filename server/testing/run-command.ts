import { execFile } from 'node:child_process'
import { join } from 'node:path'
import type { TestDatabase } from './database.ts'

/** The test database, as another process is told of it. */
export function databaseUrl({ connection }: Pick<TestDatabase, 'connection'>): string {
  const { host, port, user, database } = connection
  return `postgres://${user}@socket:${port}/${database}?host=${encodeURIComponent(host)}`
}

/** Runs one of the server's commands on a test database, as a person at the terminal does. */
export function runCommand(program: string, database: Pick<TestDatabase, 'connection'>, ...args: string[]) {
  const env = { ...process.env, DATABASE_URL: databaseUrl(database) }
  const command = [join(import.meta.dirname, '..', program), ...args]
  return new Promise<{ code: unknown; stdout: string; stderr: string }>((done) =>
    execFile(process.execPath, command, { env }, (error, stdout, stderr) =>
      done({ code: error?.code ?? 0, stdout, stderr }),
    ),
  )
}
