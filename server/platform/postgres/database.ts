import { existsSync } from 'node:fs'
import { constants } from 'node:os'
import { join } from 'node:path'
import type { Config } from '../config/config.ts'
import { checkDatabase, connectionsOf, type DatabaseState, type Finding } from '../db/database-check.ts'
import type { Address, Connection } from '../db/db.ts'
import { type EmbeddedPostgresOptions, startEmbeddedPostgres } from './embedded-postgres.ts'

export interface Database {
  connection: Connection
  /** Name for display, never with the password. */
  name: string
  /** Stops the embedded server. Leaves an external one alone. */
  stop(): Promise<void>
}

/** An unusable database. The message lists everything that is missing. */
export class DatabaseTrouble extends Error {
  override name = 'DatabaseTrouble'
}

export interface Use {
  /** A `node` creates a missing embedded database. A command does so only if `makesNew` is set. */
  as: 'node' | 'command'
  makesNew?: boolean
}

type Settings = Pick<Config, 'databaseUrl' | 'dataDir' | 'pgBinDir'>

/**
 * Opens the PostgreSQL of DATABASE_URL, or the embedded one (started, or adopted if already running). Throws
 * DatabaseTrouble if anything is missing. A node logs warnings.
 */
export async function openDatabase(
  settings: Settings,
  log: EmbeddedPostgresOptions['log'],
  use: Use,
): Promise<Database> {
  const { address, name, stop } = await reach(settings, log, use)
  const state = await checkDatabase(address, connectionsOf[use.as])
  const lacks = state.findings.filter(({ isFatal }) => isFatal)
  if (lacks.length > 0) {
    await stop()
    throw new DatabaseTrouble(describeLacks(state, lacks))
  }
  if (settings.databaseUrl && use.as === 'node') for (const unwise of state.findings) log.warn(describe(unwise))
  return { connection: { ...address, roles: state.roles }, name: name ?? state.name, stop }
}

async function reach({ databaseUrl, dataDir, pgBinDir }: Settings, log: EmbeddedPostgresOptions['log'], use: Use) {
  if (databaseUrl)
    return { address: { connectionString: databaseUrl } as Address, name: undefined, stop: async () => undefined }
  const mayMake = use.makesNew ?? use.as === 'node'
  if (!mayMake && !existsSync(join(dataDir, 'postgres', 'PG_VERSION')))
    throw new DatabaseTrouble(
      `DATABASE_URL is not set, and there is no database in ${dataDir}. Set DATABASE_URL or DATA_DIR as for \`npm start\`, or add --new-database to create one there.`,
    )
  if (use.as === 'command') exitOnSignals()
  const server = await startEmbeddedPostgres({ dataDir, binDir: pgBinDir, log })
  return { address: server.connection as Address, name: `embedded in ${dataDir}`, stop: () => server.stop() }
}

/** A command that is interrupted exits, and an exit, unlike a signal, leaves no embedded database behind. */
function exitOnSignals() {
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const)
    process.once(signal, () => process.exit(128 + constants.signals[signal]))
}

function describeLacks({ name }: DatabaseState, lacks: Finding[]): string {
  const [first] = lacks
  if (lacks.length === 1 && first && !first.sql) return `The database ${name} cannot be used. ${first.what}`
  const wayOut = lacks.some(({ sql }) => sql)
    ? ['', 'Running docs/database-setup.sql as a superuser executes all SQL above.']
    : []
  return [`The database ${name} cannot be used:`, ...lacks.map(describe), ...wayOut].join('\n')
}

const describe = ({ what, sql }: Finding) => (sql ? `- ${what}\n    ${sql};` : `- ${what}`)
