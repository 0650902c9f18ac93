import type { Logger } from 'pino'
import { loadDemo, refuseDemo } from '#features/directory/server/demo.ts'
import type { Config } from './platform/config/config.ts'
import { type Connection, openPool } from './platform/db/db.ts'
import { listNewerMigrations, migrate, refuseHalfRestored } from './platform/db/migrate.ts'
import { keepNameOrder } from './platform/db/name-order.ts'
import { catchUpWithRecords, followWallClock } from './platform/db/steady-clock.ts'
import { openDocumentStore } from './platform/documents/open-document-store.ts'
import { type Pulse, startPulse } from './platform/observability/database-health.ts'

/** One pool per use. The worker has its own, so that thousands of texts do not delay a sign-in. */
export const openPools = (connection: Connection) => ({
  owner: openPool(connection, undefined, 4),
  system: openPool(connection, 'evac_system', 5),
  hot: openPool(connection, 'evac_system', 8, { reusePlans: true }),
  tenant: openPool(connection, 'evac_app', 8),
  worker: openPool(connection, 'evac_system', 4),
})
export type Pools = ReturnType<typeof openPools>

/**
 * Migrates, opens the document store and loads the demo if the settings say so. Throws if the database is half restored
 * or contains the demo in production.
 */
export async function prepareDatabase(config: Config, { owner, system }: Pools, log: Logger) {
  await refuseHalfRestored(owner.db)
  await migrate(owner.db)
  await keepNameOrder(owner.db)
  await catchUpWithRecords(system.db)
  const newer = await listNewerMigrations(owner.db)
  if (newer.length)
    log.warn({ migrations: newer }, 'A newer version has migrated this database. Upgrade this node too.')
  const documents = await openDocumentStore(config)
  if (config.production) await refuseDemo(system.db)
  return { documents, isDemoLoaded: config.demo && (await loadDemo(system.db, documents)) }
}

/** The pulse of this node. It starts after the migrations. Until then the database counts as neither away nor answering. */
export class NodePulse {
  #pulse: Pulse | undefined

  isAway = () => this.#pulse?.isAway() ?? false
  isAnswering = () => this.#pulse?.isAnswering() ?? false

  start(connection: Connection, pools: Pools, log: Logger): void {
    const all = Object.values(pools)
    this.#pulse = startPulse(connection, {
      onLost: () => all.forEach((pool) => void pool.cut()),
      onBeat: () => all.forEach((pool) => void pool.cutSilent()),
      ask: followWallClock(log),
      log,
    })
  }

  stop = async () => this.#pulse?.stop()
}
