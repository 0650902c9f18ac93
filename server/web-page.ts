import { createHash } from 'node:crypto'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { brotliCompressSync, gzipSync } from 'node:zlib'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { encodingFor } from './http/compression.ts'
import type { InlineSources } from './http/security-headers.ts'
import type { Config } from './platform/config/config.ts'
import { webDist } from './web-files.ts'

/** A page of the build. It holds no personal data. Every address outside the API answers the app's, but for the wall's. */
export interface WebPage {
  /** Answers with the page, or 304 to a browser that has this one. An address of no page gets it with the status 404. */
  send(request: FastifyRequest, reply: FastifyReply): FastifyReply
  inline: InlineSources
}

/** How passwords are reset: by an external page (its address), by this program's mail, or by the administrator. */
export const passwordResetBy = ({ passwordResetUrl, mail }: Pick<Config, 'passwordResetUrl' | 'mail'>) =>
  passwordResetUrl || (mail ? 'mail' : 'administrator')

/**
 * Reads the page once, with the settings of this installation, and compresses it when first asked for. A rebuild needs a
 * restart. Undefined if the web app is not built.
 */
export function readPage(passwordResetBy: string, dist = webDist, name = 'index.html'): WebPage | undefined {
  const file = join(dist, name)
  if (!existsSync(file)) return undefined
  const built = readFileSync(file, 'utf8')
  const html = built.replace(
    '</head>',
    `${meta('version', hash(built))}${meta('password-reset', passwordResetBy)}</head>`,
  )
  const forms: { br?: Buffer; gzip?: Buffer } = {}
  const formOf = { br: () => brotliCompressSync(html), gzip: () => gzipSync(html, { level: 9 }) }
  const tag = `W/"${hash(html)}"`
  const isPage = pagesIn(html)
  return {
    send(request, reply) {
      if (!isPage(request.url)) {
        reply.code(404).header('cache-control', 'no-store').type('text/html; charset=utf-8')
        return reply.send(html)
      }
      // For a day the phone opens the page without asking. The app asks for a newer one at each start.
      reply.headers({ 'cache-control': 'private, max-age=86400', etag: tag, vary: 'accept-encoding' })
      // it is the same page whatever the query says
      reply.header('no-vary-search', 'params')
      if (request.headers['if-none-match'] === tag) return reply.code(304).send()
      reply.type('text/html; charset=utf-8')
      const encoding = encodingFor(request.headers)
      if (!encoding) return reply.send(html)
      forms[encoding] ??= formOf[encoding]()
      return reply.header('content-encoding', encoding).send(forms[encoding])
    },
    inline: { scripts: sourcesOf(html, 'script'), styles: sourcesOf(html, 'style') },
  }
}

/** The page table, as the build has written it into the page (web/built-page.ts). Without one every address is a page. */
function pagesIn(html: string): (url: string) => boolean {
  const [, table] = /<meta name="page-files" content='([^']*)'/.exec(html) ?? []
  if (!table) return () => true
  // the console has a table of its own
  const paths = ['/', '/simulator', ...Object.keys(JSON.parse(table))].map((path) => path.replace(/\{\w+\}/g, '[^/]+'))
  const page = new RegExp(`^(${paths.join('|')}|/console(/.*)?)/?$`)
  return (url) => page.test(url.replace(/[?#].*$/s, ''))
}

/** A wall screen has a page of its own, so that it loads nothing else of the app. */
export const readWallPage = () => readPage('', webDist, 'wall.html')
export const isWallRequest = (url: string) => /^\/wall\/?(\?|$)/.test(url)

const hash = (text: string) => createHash('sha256').update(text).digest('base64url').slice(0, 16)

const meta = (name: string, content: string) => `<meta name="${name}" content="${escapeAttribute(content)}">`
const escapeAttribute = (text: string) => text.replace(/[&"<>]/g, (character) => `&#${character.charCodeAt(0)};`)

const sourcesOf = (html: string, tag: 'script' | 'style') =>
  [...html.matchAll(new RegExp(`<${tag}>([^]*?)</${tag}>`, 'g'))].map(
    ([, text = '']) => `'sha256-${createHash('sha256').update(text).digest('base64')}'`,
  )
