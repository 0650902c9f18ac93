import type { IncomingHttpHeaders } from 'node:http'
import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'
import type { FastifyInstance } from 'fastify'
import type { CallContract } from '#kernel/route.ts'

/** Shorter answers fit into one or two packets uncompressed. */
export const leastBytes = 1_400
const { BROTLI_PARAM_QUALITY, BROTLI_PARAM_MODE, BROTLI_MODE_TEXT } = constants
/**
 * A floor of 200 people: 49 kB become 8 kB in 0.2 ms with brotli, 9 kB in 0.9 ms with gzip. Higher levels cost more
 * than they save.
 */
const ways = {
  br: (body: string) =>
    promisify(brotliCompress)(body, { params: { [BROTLI_PARAM_QUALITY]: 3, [BROTLI_PARAM_MODE]: BROTLI_MODE_TEXT } }),
  gzip: (body: string) => promisify(gzip)(body, { level: 1 }),
}

/**
 * Compresses long answers on a separate thread. Never answers that contain a token: next to text chosen by an attacker,
 * the compressed length would reveal the token bit by bit.
 */
export function compressAnswers(app: FastifyInstance): void {
  app.addHook('onSend', async ({ headers, routeOptions }, reply, payload) => {
    if (typeof payload !== 'string' || !routeOptions.config.mayCompress) return payload
    reply.header('vary', 'accept-encoding')
    const way = encodingFor(headers)
    if (!way || Buffer.byteLength(payload) < leastBytes) return payload
    reply.header('content-encoding', way)
    return ways[way](payload)
  })
}

/** True if a field of the reply schema is named like a token, a secret, or a link, which contains a token. */
export const holdsToken = ({ reply }: Pick<CallContract, 'reply'>) =>
  /token|link|ticket|secret|recovery/i.test(JSON.stringify(reply))

/** The better of the encodings that the caller accepts. */
export const encodingFor = (headers: IncomingHttpHeaders) =>
  (['br', 'gzip'] as const).find((name) => takesEncoding(headers, name))

export const takesEncoding = (headers: IncomingHttpHeaders, name: 'br' | 'gzip') =>
  readAccepted(String(headers['accept-encoding'] ?? '')).includes(name)

/** The accepted encodings. Unreadable ones and those with weight zero are left out. */
const readAccepted = (header: string) =>
  header
    .split(',')
    .flatMap((item) => /^\s*([a-z]+)\s*(;\s*q=(1(\.0*)?|0\.\d*[1-9]\d*)\s*)?$/i.exec(item)?.[1]?.toLowerCase() ?? [])
