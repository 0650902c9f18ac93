import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import fastifyStatic from '@fastify/static'
import type { FastifyInstance } from 'fastify'
import type { Config } from './platform/config/config.ts'

const webDist = join(import.meta.dirname, '../../web/dist')

/**
 * Serves the built web app, which the build has compressed. Hashed assets never change. The page and other files may be
 * cached for ten minutes, so that the home-screen icon opens the app without signal (no service worker is allowed). The
 * page is read once at the start, so a rebuild needs a restart.
 */
export async function serveWebApp(app: FastifyInstance): Promise<void> {
  if (!existsSync(webDist)) return
  const common = { index: false as const, cacheControl: false, preCompressed: true, dotfiles: 'ignore' as const }
  await app.register(fastifyStatic, {
    ...common,
    root: join(webDist, 'assets'),
    prefix: '/assets/',
    setHeaders: (reply) => void reply.header('cache-control', 'public, max-age=31536000, immutable'),
  })
  await app.register(fastifyStatic, {
    ...common,
    root: webDist,
    wildcard: false,
    decorateReply: false,
    globIgnore: ['assets/**', 'index.html', '**/*.{br,gz}'],
    setHeaders: (reply) => void reply.header('cache-control', 'private, max-age=600'),
  })
}

/** Any address outside the API opens the app, which has its own 404 page (ROUTE-27). */
export const isPageRequest = (method: string, url: string) =>
  (method === 'GET' || method === 'HEAD') && !/^\/(api|connection|assets|metrics|health)(\/|$|\?)/.test(url)

/** AMB-028: how passwords are reset: by an external page (its address), by this program's mail, or by the administrator. */
export const passwordResetBy = ({ passwordResetUrl, mail }: Pick<Config, 'passwordResetUrl' | 'mail'>) =>
  passwordResetUrl || (mail ? 'mail' : 'administrator')

/** The app's page with the settings of this installation. Undefined if the web app is not built. */
export function readPage(passwordResetBy: string): string | undefined {
  const file = join(webDist, 'index.html')
  if (!existsSync(file)) return undefined
  const meta = `<meta name="password-reset" content="${escapeAttribute(passwordResetBy)}">`
  return readFileSync(file, 'utf8').replace('</head>', `${meta}</head>`)
}
const escapeAttribute = (text: string) => text.replace(/[&"<>]/g, (character) => `&#${character.charCodeAt(0)};`)
