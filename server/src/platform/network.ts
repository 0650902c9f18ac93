import { normalizeIP } from '@fastify/rate-limit'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { Refusal } from './errors.ts'

/** Who asks, as far as limits go: of IPv6 the /64, as one line has more addresses than could ever be counted. */
export const networkOf = ({ ip }: Pick<FastifyRequest, 'ip'>) => normalizeIP(ip)

/** Of IPv6 the /48: one line may have all its 65,536 networks. For what is shared, never for what refuses at once. */
export const siteOf = (network: string) => normalizeIP(network, 48)

/** A name or number that leads to this machine alone. */
export const isThisMachine = (host: string) => /^((.+\.)?localhost|(::ffff:)?127(\.\d+){3}|\[?::1\]?)$/i.test(host)

const forwarding = ['x-forwarded-for', 'x-forwarded-host', 'x-real-ip', 'forwarded', 'via']

/** Asked from this machine itself; what a proxy on it passes on is somebody else's, unless a trusted one says who asks. */
export const isFromThisMachine = ({ ip, headers, server }: FastifyRequest) =>
  isThisMachine(ip) &&
  // a page elsewhere whose name leads here, or a tunnel, brings the name that was asked for
  isThisMachine((headers.host ?? '').replace(/:\d+$/, '')) &&
  (forwarding.every((name) => headers[name] === undefined) ||
    (server.config.trustedProxies > 0 && headers['x-forwarded-for'] !== undefined))

/** For the routes of this plugin: strangers hear that there are none, unless OPEN_DEMO opens them. */
export function keepToThisMachine(app: FastifyInstance) {
  app.addHook('onRequest', async (request) => {
    if (!app.config.openDemo && !isFromThisMachine(request)) throw new Refusal('not_found')
  })
}
