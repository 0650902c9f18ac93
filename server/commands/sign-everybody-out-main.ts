import { endTokens } from '#features/operation/server/backup/restore.queries.ts'
import { openPool } from '../platform/db/db.ts'
import { withDatabase } from './with-database.ts'

/**
 * Ends every session and every link while Evac keeps running, after a secret has leaked or an unidentified phone was
 * lost. Sockets close within a minute. Unsent changes stay on the phones until the next sign-in.
 */
await withDatabase(async (connection) => {
  const pool = openPool(connection, undefined, 1)
  try {
    const client = await pool.pg.connect()
    const ended = await endTokens(client)
    client.release()
    console.log(`${ended} sessions and links have ended. Everyone has to sign in again.`)
  } finally {
    await pool.close()
  }
})
