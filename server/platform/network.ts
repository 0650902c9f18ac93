import { isIPv6 } from 'node:net'
import { normalizeIP } from '@fastify/rate-limit'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { Refusal } from './errors.ts'

/**
 * Where a caller is, for limits. An IPv6 line has a /64 of its own, a home up to a /56, a site up to a /48: an attacker on
 * one of them may send from each of its lines. An IPv4 address is a line and a home, its site is the /24.
 */
export interface Network {
  line: string
  home: string
  site: string
}

/** All empty for a caller who has gone already: Node then knows no address. */
export function networkOf({ ip }: { ip: string | undefined }): Network {
  if (!ip) return { line: '', home: '', site: '' }
  const line = normalizeIP(ip)
  if (!isIPv6(line)) return { line, home: line, site: line.replace(/\.\d+$/, '.0/24') }
  return { line, home: `${normalizeIP(ip, 56)}/56`, site: `${normalizeIP(ip, 48)}/48` }
}

/** An IPv4 address may be that of a whole building. */
export const isOfBuilding = ({ line, home }: Network): boolean => line === home

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
