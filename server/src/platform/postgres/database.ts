import { existsSync } from 'node:fs'
import { join } from 'node:path'
import type { Config } from '../config/config.ts'
import { checkDatabase, connectionsOf, type DatabaseState, type Finding } from '../db/database-check.ts'
import type { Address, Connection } from '../db/db.ts'
import { type EmbeddedPostgresOptions, startEmbeddedPostgres } from './embedded-postgres.ts'

export interface Database {
  connection: Connection
  /** What a person calls it; never with its password. */
  name: string
  /** Stops the embedded server; leaves an external one alone. */
  stop(): Promise<void>
}

/** A database that cannot be worked on; the message lists all that is missing. */
export class DatabaseTrouble extends Error {
  override name = 'DatabaseTrouble'
}

export interface Use {
  /** `node` makes an embedded database where there is none; a command does so only when told. */
  as: 'node' | 'command'
  makesNew?: boolean
}

type Settings = Pick<Config, 'databaseUrl' | 'dataDir' | 'pgBinDir'>

/**
 * Your own PostgreSQL when DATABASE_URL is set, else the embedded one (started, or adopted when it is already running).
 * Throws DatabaseTrouble when it lacks anything; a node warns of what is unwise.
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
      `DATABASE_URL is not set, and there is no database in ${dataDir}. Set DATABASE_URL or DATA_DIR as for \`npm start\`, or say --new-database to make one there.`,
    )
  const server = await startEmbeddedPostgres({ dataDir, binDir: pgBinDir, log })
  return { address: server.connection as Address, name: `embedded in ${dataDir}`, stop: () => server.stop() }
}

function describeLacks({ name }: DatabaseState, lacks: Finding[]): string {
  const [first] = lacks
  if (lacks.length === 1 && first && !first.sql) return `The database ${name} cannot be used. ${first.what}`
  const wayOut = lacks.some(({ sql }) => sql)
    ? ['', 'docs/database-setup.sql, run by a superuser, does all that stands in SQL here.']
    : []
  return [`The database ${name} cannot be used:`, ...lacks.map(describe), ...wayOut].join('\n')
}

const describe = ({ what, sql }: Finding) => (sql ? `- ${what}\n    ${sql};` : `- ${what}`)
