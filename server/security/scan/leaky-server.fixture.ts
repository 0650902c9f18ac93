import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { sql } from 'kysely'
import type { Db } from '../../platform/db/db.ts'

/** A server with the two holes that the scans look for: it puts a text into SQL and onto a page unescaped. */
export async function startLeakyServer(db: Db) {
  const server = createServer(async (request, response) => {
    const text = new URL(request.url ?? '/', 'http://x').searchParams.get('text') ?? ''
    const found = await sql
      .raw(`select 1 where 'abc' = '${text}'`)
      .execute(db)
      .catch(() => ({ rows: [] }))
    response.setHeader('content-type', 'text/html')
    response.end(`<html><body>${found.rows.length} named ${text} <a href="/?text=abc">Again</a></body></html>`)
  })
  await once(server.listen(0, '127.0.0.1'), 'listening')
  return {
    host: `127.0.0.1:${(server.address() as AddressInfo).port}`,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections()
      await new Promise((done) => server.close(done))
    },
  }
}
