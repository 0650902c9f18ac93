import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { brotliCompressSync, gzipSync } from 'node:zlib'
import type { FastifyInstance } from 'fastify'

/** React and one heading, made by the bundler that makes the product (scripts/bench.mjs): what any page of this kind costs. */
const built = join(import.meta.dirname, '../out/hello')

const files = () =>
  readdirSync(built, { recursive: true, encoding: 'utf8' }).filter((name) => /\.(html|js)$/.test(name))

/** Its scripts, as size-limit weighs the product's. */
export const helloBytes = () =>
  files()
    .filter((name) => name.endsWith('.js'))
    .reduce((sum, name) => sum + gzipSync(readFileSync(join(built, name)), { level: 9 }).length, 0)

/** Serves it compressed beforehand, as the product serves its own files. */
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
