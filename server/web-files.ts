import { existsSync } from 'node:fs'
import { join } from 'node:path'
import fastifyStatic from '@fastify/static'
import type { FastifyInstance } from 'fastify'
import { keptAssetsIn } from './kept-assets.ts'

export const webDist = join(import.meta.dirname, '../web/dist')
export const builtAssets = join(webDist, 'assets')

/**
 * Serves the built web app, which the build has compressed. Hashed assets never change, and those of earlier builds are
 * served for a day (kept-assets.ts). Other files, such as icons, may be cached for ten minutes.
 */
export async function serveWebApp(app: FastifyInstance, dataDir: string): Promise<void> {
  if (!existsSync(webDist)) return
  const common = { index: false as const, cacheControl: false, preCompressed: true, dotfiles: 'ignore' as const }
  await app.register(fastifyStatic, {
    ...common,
    root: [builtAssets, keptAssetsIn(dataDir)].filter(existsSync),
    prefix: '/assets/',
    setHeaders: (reply) => void reply.header('cache-control', 'public, max-age=31536000, immutable'),
  })
  await app.register(fastifyStatic, {
    ...common,
    root: webDist,
    wildcard: false,
    decorateReply: false,
    globIgnore: ['assets/**', '{index,wall}.html', '**/*.{br,gz}'],
    setHeaders: (reply) => void reply.header('cache-control', 'private, max-age=600'),
  })
}

/** Any address outside the API opens the app, which has its own 404 page. */
export const isPageRequest = (method: string, url: string) =>
  (method === 'GET' || method === 'HEAD') && !/^\/(api|connection|assets|metrics|health)(\/|$|\?)/.test(url)
