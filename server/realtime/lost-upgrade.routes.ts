import type { FastifyInstance } from 'fastify'
import { socketPath } from './realtime.ts'

const lostUpgrade =
  'A live connection was rejected (426): the proxy in front drops the Upgrade header (docs/operations/nginx.conf)'

const misrouted =
  'A live connection came here (426): the proxy in front has to send it to Centrifugo (docs/operations/nginx.conf)'

/**
 * Answers a handshake that arrives as an ordinary request. A proxy without WebSocket rules drops the Upgrade
 * header but passes the handshake's key on, which distinguishes it from a person who opens the address. Phones poll
 * meanwhile.
 */
export async function lostUpgradeRoutes(app: FastifyInstance) {
  const always = { config: { policy: { access: 'public' as const }, needsNoDatabase: true } }
  app.get(socketPath, always, async ({ headers }, reply) => {
    if (headers['sec-websocket-key']) {
      app.log.warn({}, app.config.centrifugo ? misrouted : lostUpgrade)
      app.metrics.realtime.inc({ what: 'refused' })
    }
    reply.code(426).header('upgrade', 'websocket').header('connection', 'upgrade')
    return { error: 'upgrade_required', message: 'This address takes WebSocket connections only.' }
  })
}
