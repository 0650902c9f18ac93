import type { Server } from 'node:http'
import type { Duplex } from 'node:stream'
import { setTimeout as delay } from 'node:timers/promises'
import { type WebSocket, WebSocketServer } from 'ws'
import { Allowances } from './allowance.ts'
import { isCheckDue, secondsExpired } from './authenticate.ts'
import { type CloseCode, closeCodes, unsubscribeCodes } from './codes.ts'
import { Connection } from './connection.ts'
import { encodePublication, encodeUnsubscribe } from './frames.ts'
import type { HubContext, HubOptions } from './hub-context.ts'
import { PingWheel } from './ping-wheel.ts'
import { Registry } from './registry.ts'
import { answerCommands } from './session.ts'
import type { ConnectionClaims } from './token.ts'
import { acceptUpgrades } from './upgrade.ts'

const maxPayload = 16 * 1024

/** All open sockets of this process: accepts them, sends to them, and closes them. */
export class Hub {
  readonly #context: HubContext
  readonly #wss = new WebSocketServer({ noServer: true, clientTracking: false, perMessageDeflate: false, maxPayload })
  readonly #open = new Set<Connection>()
  /** Sockets without a connect command, oldest first, and some that have sent it since. */
  readonly #silent = new Set<Connection>()
  readonly #tidying: NodeJS.Timeout
  readonly #upgradeStops: (() => void)[] = []
  #isClosing = false

  constructor(options: HubOptions) {
    const { pingSeconds = 25, isRevoked = () => false } = options
    const wheel = new PingWheel(pingSeconds, (connection) => inspect(this.#context, connection))
    const registry = new Registry()
    this.#context = { ...options, isRevoked, pingSeconds, registry, allowances: new Allowances(), wheel }
    this.#tidying = setInterval(() => this.#tidy(), this.#connectMs / 10)
    this.#tidying.unref()
  }

  attach(server: Server, path: string) {
    const { metrics, log, allowedOrigins = [], maxConnections = 20_000, isDatabaseAway = () => false } = this.#context
    const stopUpgrades = acceptUpgrades(server, {
      path,
      allowedOrigins,
      onRefused: (details, message) => {
        metrics?.count('refused')
        log.warn(details, message)
      },
      isAway: isDatabaseAway,
      hasRoom: () => !this.#isClosing && this.#open.size < maxConnections,
      accept: (request, socket, head) =>
        this.#wss.handleUpgrade(request, socket, head, (ws) => this.#accept(ws, socket)),
    })
    this.#upgradeStops.push(stopUpgrades)
  }

  /**
   * Sends to all current subscribers. Offsets of a channel only rise; a subscriber drops an offset that it has already
   * seen.
   */
  publish(channel: string, offset: number, json: string) {
    const { registry, metrics } = this.#context
    const subscribers = registry.ofChannel(channel)
    if (subscribers.size === 0) return
    const frame = encodePublication(channel, json, offset)
    metrics?.count('published')
    metrics?.count('delivered', subscribers.size)
    for (const [connection, subscription] of subscribers) {
      if (!subscription.deliver(offset, frame)) connection.close(closeCodes.insufficientState)
    }
  }

  /** Closes the sockets that the participation has now, not later ones. */
  disconnect(sub: string, close: CloseCode, pace: Pace = {}) {
    void closeEach(this.#context.registry.ofSub(sub), close, pace)
  }

  /** Closes all sockets that are subscribed to the channel now. */
  disconnectChannel(channel: string, close: CloseCode, pace: Pace = {}) {
    void closeEach([...this.#context.registry.ofChannel(channel).keys()], close, pace)
  }

  /** After a change of epoch, every client resubscribes, is told "not recovered" and refetches. */
  invalidate() {
    const { registry } = this.#context
    for (const channel of registry.channels()) {
      const frame = encodeUnsubscribe(channel, unsubscribeCodes.insufficientState)
      for (const connection of [...registry.ofChannel(channel).keys()]) {
        registry.unsubscribe(connection, channel)
        connection.send(frame)
      }
    }
  }

  /**
   * Closes all sockets, spread over 2 s. The clients reconnect by themselves, to a process that can query the database.
   */
  disconnectAll(close: CloseCode) {
    void closeEach([...this.#open], close, { spreadMs: 2000 })
  }

  /** Sockets that are subscribed to the channel. */
  listeners(channel: string): number {
    return this.#context.registry.ofChannel(channel).size
  }

  channels(): string[] {
    return this.#context.registry.channels()
  }

  /** The participations with a socket on this node. */
  participations(): Iterable<string> {
    return this.#context.registry.subs()
  }

  counts(): { connections: number; subscriptions: number } {
    const { registry } = this.#context
    const subscriptions = registry.channels().reduce((sum, channel) => sum + registry.ofChannel(channel).size, 0)
    return { connections: registry.connections.size, subscriptions }
  }

  /**
   * Rejects new sockets and closes the others, spread out so that the clients do not all reconnect in the same second.
   */
  async close({ spreadMs = 2000 } = {}) {
    this.#isClosing = true
    clearInterval(this.#tidying)
    this.#context.wheel.stop()
    await closeEach([...this.#open], closeCodes.shutdown, { spreadMs })
    for (const close of this.#upgradeStops) close()
  }

  #accept(ws: WebSocket, socket: Duplex) {
    const { maxBuffered = 1 << 20 } = this.#context
    const connection = new Connection({ ws, socket, maxBuffered, onClosing: this.#forget })
    this.#open.add(connection)
    this.#silent.add(connection)
    ws.on('error', () => connection.lost())
    ws.on('close', () => {
      connection.lost()
      this.#open.delete(connection)
    })
    answerCommands(this.#context, connection, ws)
  }

  readonly #forget = (connection: Connection, { code, reason }: CloseCode) => {
    const { metrics, log, registry, noteContact } = this.#context
    metrics?.count(`closed_${code}`)
    if (connection.claims) noteContact?.(connection.claims.sub)
    log.debug({ code, reason, sub: connection.claims?.sub }, 'A real-time connection closed')
    registry.remove(connection)
    this.#silent.delete(connection)
  }

  get #connectMs() {
    return (this.#context.connectSeconds ?? 10) * 1000
  }

  /** One timer for all sockets: closes those that stay silent, and forgets the allowances of sessions at rest. */
  #tidy() {
    this.#context.allowances.sweep()
    for (const connection of this.#silent) {
      if (!connection.claims && Date.now() - connection.checkedAt < this.#connectMs) return
      this.#silent.delete(connection)
      if (!connection.claims) connection.close(closeCodes.stale)
    }
  }
}

/** When to close, in milliseconds: after a delay, spread over a further period. */
interface Pace {
  afterMs?: number
  spreadMs?: number
}

function closeEach(connections: Connection[], close: CloseCode, { afterMs = 0, spreadMs = 0 }: Pace) {
  return Promise.all(
    connections.map(async (connection) => {
      if (afterMs + spreadMs > 0) await delay(afterMs + Math.random() * spreadMs, undefined, { ref: false })
      connection.close(close)
    }),
  )
}

/**
 * Runs once per ping. Closes a connection whose token expired and whose grace is over, or whose participation
 * was revoked, within a minute.
 */
function inspect(hub: HubContext, connection: Connection) {
  const { claims } = connection
  if (!claims) return
  if (secondsExpired(claims) > (hub.expiryGraceSeconds ?? 25)) return connection.close(closeCodes.expired)
  if (!isCheckDue(hub, connection)) return
  connection.checkedAt = Date.now()
  recheck(hub, connection, claims).catch((error) => hub.log.warn({ err: error }, 'Could not recheck a participation'))
}

async function recheck(hub: HubContext, connection: Connection, claims: ConnectionClaims) {
  if (await hub.isRevoked(claims)) connection.close(closeCodes.invalidToken)
}
