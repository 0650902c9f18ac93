import type { Server } from 'node:http'
import type { Duplex } from 'node:stream'
import { setTimeout as delay } from 'node:timers/promises'
import { type WebSocket, WebSocketServer } from 'ws'
import { Allowances } from './allowance.ts'
import { secondsExpired } from './authenticate.ts'
import { type CloseCode, closeCodes, unsubscribeCodes } from './codes.ts'
import { Connection } from './connection.ts'
import { encodePublication, encodeUnsubscribe } from './frames.ts'
import type { HubContext, HubOptions } from './hub-context.ts'
import { PingWheel } from './ping-wheel.ts'
import { Registry } from './registry.ts'
import { hear } from './session.ts'
import type { ConnectionClaims } from './token.ts'
import { openDoor } from './upgrade.ts'

const maxPayload = 16 * 1024

export interface Hub {
  attach: (server: Server, path: string) => void
  /** Sends to everybody subscribed now. Offsets of a channel only rise: one that is not new to a subscriber is dropped. */
  publish: (channel: string, offset: number, json: string) => void
  /** Closes the sockets that the sign-in has at this moment, later ones not. */
  disconnect: (sub: string, close: CloseCode, when?: { afterMs?: number; spreadMs?: number }) => void
  /** The same for all that are subscribed to the channel at this moment. */
  disconnectChannel: (channel: string, close: CloseCode, when?: { afterMs?: number; spreadMs?: number }) => void
  /** After a change of epoch: everybody subscribes again, is told "not recovered" and fetches anew. */
  invalidate: () => void
  /** Sends everybody off, spread out; they come back by themselves, to a process that can ask the database. */
  sendOff: (close: CloseCode) => void
  channels: () => string[]
  counts: () => { connections: number; subscriptions: number }
  /** Turns new sockets away and sends the others off, spread out so that they do not all come back in one second. */
  close: (options?: { spreadMs?: number }) => Promise<void>
}

export function createHub(options: HubOptions): Hub {
  const { pingSeconds = 25, connectSeconds = 10, maxConnections = 20_000, maxBuffered = 1 << 20 } = options
  const wss = new WebSocketServer({ noServer: true, clientTracking: false, perMessageDeflate: false, maxPayload })
  const open = new Set<Connection>()
  const registry = new Registry()
  const wheel = new PingWheel(pingSeconds, (connection) => inspect(hub, connection))
  const allowances = new Allowances()
  const isRevoked = options.isRevoked ?? (() => false)
  const hub: HubContext = { ...options, isRevoked, pingSeconds, registry, allowances, wheel }
  const doors: (() => void)[] = []
  let isClosing = false

  function accept(ws: WebSocket, socket: Duplex) {
    const connection = new Connection({ ws, socket, maxBuffered, onClosing: forget })
    open.add(connection)
    const overdue = setTimeout(() => connection.claims ?? connection.close(closeCodes.stale), connectSeconds * 1000)
    ws.on('error', () => connection.lost())
    ws.on('close', () => {
      clearTimeout(overdue)
      connection.lost()
      open.delete(connection)
    })
    hear(hub, connection, ws)
  }

  function forget(connection: Connection, { code, reason }: CloseCode) {
    options.metrics?.count(`closed_${code}`)
    options.log.debug({ code, reason, sub: connection.claims?.sub }, 'A real-time connection closed')
    registry.remove(connection)
  }

  function closeAll(connections: Connection[], close: CloseCode, { afterMs = 0, spreadMs = 0 }) {
    return Promise.all(
      connections.map(async (connection) => {
        if (afterMs + spreadMs > 0) await delay(afterMs + Math.random() * spreadMs, undefined, { ref: false })
        connection.close(close)
      }),
    )
  }

  return {
    attach(server, path) {
      const hasRoom = () => !isClosing && open.size < maxConnections
      doors.push(
        openDoor(server, {
          path,
          allowedOrigins: options.allowedOrigins ?? [],
          onRefused: (details, message) => {
            options.metrics?.count('refused')
            options.log.warn(details, message)
          },
          hasRoom,
          accept: (request, socket, head) => wss.handleUpgrade(request, socket, head, (ws) => accept(ws, socket)),
        }),
      )
    },

    publish(channel, offset, json) {
      const subscribers = registry.ofChannel(channel)
      if (subscribers.size === 0) return
      const frame = encodePublication(channel, json, offset)
      options.metrics?.count('published')
      options.metrics?.count('delivered', subscribers.size)
      for (const [connection, subscription] of subscribers) {
        if (!subscription.deliver(offset, frame)) connection.close(closeCodes.insufficientState)
      }
    },

    disconnect(sub, close, when = {}) {
      void closeAll(registry.ofSub(sub), close, when)
    },

    disconnectChannel(channel, close, when = {}) {
      void closeAll([...registry.ofChannel(channel).keys()], close, when)
    },

    invalidate() {
      for (const channel of registry.channels()) {
        const frame = encodeUnsubscribe(channel, unsubscribeCodes.insufficientState)
        for (const connection of [...registry.ofChannel(channel).keys()]) {
          registry.unsubscribe(connection, channel)
          connection.send(frame)
        }
      }
    },

    sendOff(close) {
      void closeAll([...open], close, { spreadMs: 2000 })
    },

    channels: () => registry.channels(),

    counts() {
      const subscriptions = registry.channels().reduce((sum, channel) => sum + registry.ofChannel(channel).size, 0)
      return { connections: registry.connections.size, subscriptions }
    },

    async close({ spreadMs = 2000 } = {}) {
      isClosing = true
      wheel.stop()
      await closeAll([...open], closeCodes.shutdown, { spreadMs })
      for (const shut of doors) shut()
    },
  }
}

/** HUB-09: seen once per ping: an ended token is closed after its grace, a revoked sign-in within the minute. */
function inspect(hub: HubContext, connection: Connection) {
  const { claims } = connection
  if (!claims) return
  if (secondsExpired(claims) > (hub.expiryGraceSeconds ?? 25)) return connection.close(closeCodes.expired)
  if (Date.now() - connection.checkedAt < (hub.recheckSeconds ?? 60) * 1000) return
  connection.checkedAt = Date.now()
  recheck(hub, connection, claims).catch((error) => hub.log.warn({ err: error }, 'Could not check a sign-in again'))
}

async function recheck(hub: HubContext, connection: Connection, claims: ConnectionClaims) {
  if (await hub.isRevoked(claims)) connection.close(closeCodes.invalidToken)
}
