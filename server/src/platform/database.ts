import type { Config } from '../config.ts'
import type { Connection } from './db.ts'
import { type EmbeddedPostgresOptions, startEmbeddedPostgres } from './embedded-postgres.ts'

export interface Database {
  connection: Connection
  /** Stops the embedded server; leaves an external one alone. */
  stop(): Promise<void>
}

/** Your own PostgreSQL when DATABASE_URL is set, else the embedded one (started, or adopted when it is already running). */
export async function openDatabase(
  { databaseUrl, dataDir, pgBinDir }: Pick<Config, 'databaseUrl' | 'dataDir' | 'pgBinDir'>,
  log: EmbeddedPostgresOptions['log'],
): Promise<Database> {
  if (databaseUrl) return { connection: { connectionString: databaseUrl }, stop: async () => undefined }
  const server = await startEmbeddedPostgres({ dataDir, binDir: pgBinDir, log })
  return { connection: server.connection, stop: () => server.stop() }
}
