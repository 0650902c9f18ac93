import { randomUUID } from 'node:crypto'
import pg from 'pg'
import { inject } from 'vitest'
import { type Connection, openPool } from '../platform/db.ts'
import { templateName } from './global-setup.ts'

/**
 * A database of its own, cloned from the migrated template unless it is to be empty; `system` sees all tenants, `tenant`
 * is the app's role.
 */
export async function openTestDatabase({ empty = false } = {}) {
  const base = inject('testConnection')
  const name = `t_${randomUUID().replaceAll('-', '')}`
  await asAdmin(base, `create database ${name} template ${empty ? 'template0' : templateName}`)
  const connection: Connection = { ...base, database: name }
  const owner = openPool(connection, undefined, 2)
  const system = openPool(connection, 'evac_system', 5)
  const hot = openPool(connection, 'evac_system', 8, { reusePlans: true })
  const tenant = openPool(connection, 'evac_app', 10)
  return {
    connection,
    owner,
    system,
    hot,
    tenant,
    async [Symbol.asyncDispose]() {
      await Promise.all([owner.close(), system.close(), hot.close(), tenant.close()])
      await asAdmin(base, `drop database ${name} with (force)`)
    },
  }
}
export type TestDatabase = Awaited<ReturnType<typeof openTestDatabase>>

async function asAdmin(connection: Exclude<Connection, { connectionString: string }>, statement: string) {
  const admin = new pg.Client(connection)
  await admin.connect()
  try {
    await admin.query(statement)
  } finally {
    await admin.end()
  }
}
