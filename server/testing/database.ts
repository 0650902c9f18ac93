import { randomUUID } from 'node:crypto'
import pg from 'pg'
import { inject, type ProvidedContext } from 'vitest'
import { openPool } from '../platform/db/db.ts'
import { fixtureName, templateName } from './global-setup.ts'

/**
 * A database of its own, cloned from the migrated template unless it is to be empty; `system` sees all tenants, `tenant`
 * is the app's role.
 */
export async function openTestDatabase({ empty = false } = {}) {
  const base = inject('testConnection')
  const name = `t_${randomUUID().replaceAll('-', '')}`
  const template = empty ? 'template0' : templateName
  // without a power cut to fear, copied files take half the time of copied pages
  await asAdmin(`create database ${name} template ${template} strategy file_copy owner ${base.user}`)
  await asAdmin(`revoke all on database ${name} from public`)
  const pools = openPools({ ...base, database: name })
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
export function openPools(connection: ProvidedContext['testConnection']) {
  const owner = openPool(connection, undefined, 2)
  const system = openPool(connection, 'evac_system', 3)
  const fixtures = openPool(connection, 'evac_system', 5, { name: fixtureName })
  const hot = openPool(connection, 'evac_system', 3, { reusePlans: true })
  const tenant = openPool(connection, 'evac_app', 4)
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
