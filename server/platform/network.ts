import { normalizeIP } from '@fastify/rate-limit'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { Refusal } from './errors.ts'

/**
 * The caller's network, for limits. For IPv6 the /64, because one line has too many addresses to count. Empty for a caller
 * who has gone already: Node then knows no address.
 */
export const networkOf = ({ ip }: { ip: string | undefined }) => (ip ? normalizeIP(ip) : '')

/**
 * For IPv6 the /48, because one line may own all 65,536 networks in it. Use for fair sharing, never for rejecting
 * outright.
 */
export const siteOf = (network: string) => normalizeIP(network, 48)

/** True for a name or number that always means this machine. */
export const isThisMachine = (host: string) => /^((.+\.)?localhost|(::ffff:)?127(\.\d+){3}|\[?::1\]?)$/i.test(host)

const forwarding = ['x-forwarded-for', 'x-forwarded-host', 'x-real-ip', 'forwarded', 'via']

/**
 * True if the request comes from this machine. A request through a local proxy does not, unless a trusted proxy names
 * the caller.
 */
export const isFromThisMachine = ({ ip, headers, server }: FastifyRequest) =>
  isThisMachine(ip) &&
  // DNS rebinding or a tunnel would arrive with a foreign host name
  isThisMachine((headers.host ?? '').replace(/:\d+$/, '')) &&
  (forwarding.every((name) => headers[name] === undefined) ||
    (server.config.trustedProxies > 0 && headers['x-forwarded-for'] !== undefined))

/** Answers 404 to callers on other machines for the routes of this plugin, unless OPEN_DEMO is set. */
export function keepToThisMachine(app: FastifyInstance) {
  app.addHook('onRequest', async (request) => {
    if (!app.config.openDemo && !isFromThisMachine(request)) throw new Refusal('not_found')
  })
}
