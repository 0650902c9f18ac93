import pg from 'pg'
import type { Connection } from '../../platform/db/db.ts'

const lock = 'evac centrifugo leader'
/** Seconds after which the database drops the connection of a machine that is gone: the lock goes with it. */
const silence = 'set tcp_keepalives_idle = 3; set tcp_keepalives_interval = 2; set tcp_keepalives_count = 2'

/** A connection that may hold the leader's lock. The lock ends with it. */
export async function openLeadership(connection: Connection) {
  const { roles: _, ...address } = connection
  const client = new pg.Client({ ...address, keepAlive: true, application_name: 'evac_leader', query_timeout: 5000 })
  client.on('error', () => undefined)
  const close = () => client.end().catch(() => undefined)
  try {
    await client.connect()
    await client.query(silence)
  } catch (error) {
    await close()
    throw error
  }
  return {
    /** True if this process is the leader now. A try that waits would keep a snapshot open, which the database may not tidy behind. */
    async take(): Promise<boolean> {
      const { rows } = await client.query('select pg_try_advisory_lock(hashtext($1)) as mine', [lock])
      return rows[0]?.mine
    },
    /** Throws if the connection is lost: another process may lead by now. */
    async confirm() {
      await client.query('select 1')
    },
    [Symbol.asyncDispose]: close,
  }
}
