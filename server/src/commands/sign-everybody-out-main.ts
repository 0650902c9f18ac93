import { endTokens } from '../features/backup/restore.queries.ts'
import { readConfig } from '../platform/config/config.ts'
import { openPool } from '../platform/db/db.ts'
import { openDatabase } from '../platform/postgres/database.ts'

/**
 * Ends every session and every link while Evac keeps running, after a secret has leaked or an unidentified phone was
 * lost. Sockets close within a minute (HUB-09). Unsent changes stay on the phones until the next sign-in.
 */
const database = await openDatabase(readConfig(), { info: () => undefined, warn: console.warn }, { as: 'command' })
console.log(`Database: ${database.name}`)
const pool = openPool(database.connection, undefined, 1)
try {
  const client = await pool.pg.connect()
  const ended = await endTokens(client)
  client.release()
  console.log(`${ended} sessions and links have ended. Everybody has to sign in again.`)
} finally {
  await pool.close()
  await database.stop()
}
