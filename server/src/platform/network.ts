import { normalizeIP } from '@fastify/rate-limit'
import type { FastifyRequest } from 'fastify'

/** Who asks, as far as limits go: of IPv6 the /64, as one line has more addresses than could ever be counted. */
export const networkOf = ({ ip }: Pick<FastifyRequest, 'ip'>) => normalizeIP(ip)

/** Of IPv6 the /48: one line may have all its 65,536 networks. For what is shared, never for what refuses at once. */
export const siteOf = (network: string) => normalizeIP(network, 48)
