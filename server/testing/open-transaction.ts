import { randomUUID } from 'node:crypto'
import pg from 'pg'
import { inject } from 'vitest'

/** `open`: its session idles. `prepared`: no session has it any more. */
export type Forgotten = 'open' | 'prepared'

/** A transaction with an id that is not ended until disposed, in that database or in one that is not ours. */
export async function openTransaction(database?: string, how: Forgotten = 'open') {
  const client = new pg.Client({ ...inject('testAdmin'), ...(database && { database }) })
  await client.connect()
  await client.query('begin')
  const { rows } = await client.query<{ pid: number }>('select pg_backend_pid() as pid, pg_current_xact_id()')
  const name = randomUUID()
  if (how === 'prepared') await client.query(`prepare transaction '${name}'`)
  return {
    pid: rows[0]?.pid,
    async [Symbol.asyncDispose]() {
      await client.query(how === 'prepared' ? `rollback prepared '${name}'` : 'rollback')
      await client.end()
    },
  }
}
