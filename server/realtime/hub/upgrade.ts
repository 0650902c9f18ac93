import type { IncomingMessage, Server } from 'node:http'
import type { Duplex } from 'node:stream'

interface UpgradeOptions {
  path: string
  allowedOrigins: readonly string[]
  /** Called for rejected upgrades of our path. */
  onRefused: (details: object, message: string) => void
  /** False while the hub is full or closing. */
  hasRoom: () => boolean
  /** No one can be let in for the moment. Thousands of phones try again and again, so it is not logged. */
  isAway: () => boolean
  accept: (request: IncomingMessage, socket: Duplex, head: Buffer) => void
}

/**
 * Accepts upgrades of our path from our own pages, and from programs, which send no Origin. Returns a function
 * that stops.
 */
export function acceptUpgrades(server: Server, options: UpgradeOptions): () => void {
  const onUpgrade = (request: IncomingMessage, socket: Duplex, head: Buffer) => {
    if (pathOf(request) !== options.path) {
      // Without another listener the socket would stay open forever.
      if (server.listenerCount('upgrade') === 1) refuse(socket, '404 Not Found')
    } else if (!isAllowedOrigin(request, options.allowedOrigins)) {
      options.onRefused(originsOf(request, options.allowedOrigins), foreignPage)
      refuse(socket, '403 Forbidden')
    } else if (options.isAway()) refuse(socket, '503 Service Unavailable')
    else if (!options.hasRoom()) {
      options.onRefused({}, 'A live connection was rejected (503): this process is full or stopping')
      refuse(socket, '503 Service Unavailable')
    } else options.accept(request, socket, head)
  }
  server.on('upgrade', onUpgrade)
  return () => void server.off('upgrade', onUpgrade)
}

function pathOf({ url = '/' }: IncomingMessage): string {
  return url.split('?', 1)[0] as string
}

/** A page on another site must not open a socket in a warden's browser. */
function isAllowedOrigin({ headers }: IncomingMessage, allowed: readonly string[]): boolean {
  const { origin, host } = headers
  if (origin === undefined) return true
  const url = URL.parse(origin)
  return url !== null && (url.host === host || allowed.includes(url.origin))
}

const foreignPage =
  'A live connection was rejected (403): its page matches neither APP_URL nor the Host header from the proxy'

/** An origin is a scheme and a host, never a person. Callers control its content, so it is truncated. */
const originsOf = ({ headers }: IncomingMessage, allowed: readonly string[]) => ({
  page: headers.origin?.slice(0, 100),
  host: headers.host?.slice(0, 100),
  appUrl: allowed.join(' '),
})

function refuse(socket: Duplex, status: string) {
  socket.on('error', () => socket.destroy())
  socket.end(`HTTP/1.1 ${status}\r\nConnection: close\r\nContent-Length: 0\r\n\r\n`)
}
