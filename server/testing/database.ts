import { randomUUID } from 'node:crypto'
import pg from 'pg'
import { inject, type ProvidedContext } from 'vitest'
import { openPool } from '../platform/db/db.ts'
import { fixtureName, templateName } from './global-setup.ts'

/**
 * A database of its own, cloned from the migrated template unless it is to be empty. `crowded`: many wait in it at once; `system` sees all tenants, `tenant`
 * is the app's role.
 */
export async function openTestDatabase({ empty = false, crowded = false } = {}) {
  const base = inject('testConnection')
  const name = `t_${randomUUID().replaceAll('-', '')}`
  const template = empty ? 'template0' : templateName
  // without a power cut to fear, copied files take half the time of copied pages
  await asAdmin(`create database ${name} template ${template} strategy file_copy owner ${base.user}`)
  await asAdmin(`revoke all on database ${name} from public`)
  const pools = openPools({ ...base, database: name }, crowded)
  return {
    ...pools,
    async [Symbol.asyncDispose]() {
      await pools[Symbol.asyncDispose]()
      await asAdmin(`drop database ${name} with (force)`)
    },
  }
}
export type TestDatabase = ReturnType<typeof openPools>

/** The ways into a database that tests need. Small pools: a fifth of the run went into opening connections. */
export function openPools(connection: ProvidedContext['testConnection'], crowded = false) {
  const sizes = crowded ? { system: 5, hot: 8, tenant: 10 } : { system: 3, hot: 3, tenant: 4 }
  const owner = openPool(connection, undefined, 2)
  const system = openPool(connection, 'evac_system', sizes.system)
  const fixtures = openPool(connection, 'evac_system', 5, { name: fixtureName })
  const hot = openPool(connection, 'evac_system', sizes.hot, { reusePlans: true })
  const tenant = openPool(connection, 'evac_app', sizes.tenant)
  return {
    connection,
    owner,
    system,
    /** What a test itself writes and reads. */
    fixtures,
    hot,
    tenant,
    async [Symbol.asyncDispose]() {
      await Promise.all([owner.close(), system.close(), fixtures.close(), hot.close(), tenant.close()])
    },
  }
}

/** As the server's superuser, who alone makes databases; in the given one, or in none of ours. */
export async function asAdmin(statement: string, database?: string) {
  const admin = new pg.Client({ ...inject('testAdmin'), ...(database && { database }) })
  await admin.connect()
  try {
    await admin.query(statement)
  } finally {
    await admin.end()
  }
}
