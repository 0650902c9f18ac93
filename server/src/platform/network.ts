import { normalizeIP } from '@fastify/rate-limit'
import type { FastifyRequest } from 'fastify'

/** Who asks, as far as limits go: of IPv6 the /64, as one line has more addresses than could ever be counted. */
export const networkOf = ({ ip }: Pick<FastifyRequest, 'ip'>) => normalizeIP(ip)
