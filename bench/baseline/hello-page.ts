import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { brotliCompressSync, gzipSync } from 'node:zlib'
import type { FastifyInstance } from 'fastify'

/** React and one heading, built by the bundler of the product (scripts/bench.mjs). */
const built = join(import.meta.dirname, '../out/hello')

const files = () =>
  readdirSync(built, { recursive: true, encoding: 'utf8' }).filter((name) => /\.(html|js)$/.test(name))

/** The size of its scripts, measured as size-limit measures the product's. */
export const helloBytes = () =>
  files()
    .filter((name) => name.endsWith('.js'))
    .reduce((sum, name) => sum + gzipSync(readFileSync(join(built, name)), { level: 9 }).length, 0)

/** Serves the page compressed in advance, as the product serves its files. */
export function serveHello(app: FastifyInstance): void {
  if (!existsSync(built)) return
  for (const name of files()) {
    const bytes = readFileSync(join(built, name))
    const isPage = name.endsWith('.html')
    const body = isPage ? bytes : brotliCompressSync(bytes)
    app.get(isPage ? '/hello/' : `/hello/${name}`, (_request, reply) => {
      if (!isPage) reply.header('content-encoding', 'br')
      return reply.type(isPage ? 'text/html' : 'text/javascript').send(body)
    })
  }
}
