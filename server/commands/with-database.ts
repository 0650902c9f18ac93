import { type Config, readConfig } from '../platform/config/config.ts'
import { ConfigError } from '../platform/config/read-setting.ts'
import { type Connection, type Db, openPool } from '../platform/db/db.ts'
import { HalfRestored, migrate, refuseHalfRestored } from '../platform/db/migrate.ts'
import { DatabaseTrouble, openDatabase } from '../platform/postgres/database.ts'

const log = { info: () => undefined, warn: console.warn }

/** Opens the database that the settings name, prints its name, and closes it after the work. */
export async function withDatabase<T>(
  work: (connection: Connection, config: Config) => Promise<T>,
  { makesNew = false } = {},
): Promise<T> {
  const config = readConfig()
  const database = await openDatabase(config, log, { as: 'command', makesNew })
  console.log(`Database: ${database.name}`)
  try {
    return await work(database.connection, config)
  } finally {
    await database.stop()
  }
}

/** A migrated database: `owner` changes its structure, `system` sees all organisations. */
export interface Migrated {
  connection: Connection
  owner: Db
  system: Db
}

/** The same with a migrated database. */
export function withMigrated<T>(
  work: (migrated: Migrated, config: Config) => Promise<T>,
  options?: { makesNew: boolean },
): Promise<T> {
  return withDatabase(async (connection, config) => {
    const owner = openPool(connection, undefined, 1)
    const system = openPool(connection, 'evac_system', 1)
    try {
      await refuseHalfRestored(owner.db)
      await migrate(owner.db)
      return await work({ connection, owner: owner.db, system: system.db }, config)
    } finally {
      await system.close()
      await owner.close()
    }
  }, options)
}

/** Errors whose message names what the operator can mend. Any other error is a bug: print its stack. */
export const isOperatorError = (error: unknown) =>
  [ConfigError, DatabaseTrouble, HalfRestored].some((kind) => error instanceof kind)
