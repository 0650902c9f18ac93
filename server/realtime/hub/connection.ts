import { randomUUID } from 'node:crypto'
import type { Duplex } from 'node:stream'
import { WebSocket } from 'ws'
import { type CloseCode, closeCodes } from './codes.ts'
import { RateLimit } from './rate-limit.ts'
import type { ConnectionClaims } from './token.ts'

const commandsPerSecond = 20
const commandBurst = 60
const closeTimeoutMs = 1000

interface ConnectionOptions {
  ws: WebSocket
  socket: Duplex
  /** Bytes that may be buffered for a slow reader before it is disconnected. */
  maxBuffered: number
  onClosing: (connection: Connection, code: CloseCode) => void
}

/** One socket: its participation, its subscriptions, and the only code that writes to it. */
export class Connection {
  readonly id = randomUUID()
  readonly rate = new RateLimit(commandsPerSecond, commandBurst)
  claims: ConnectionClaims | null = null
  awaitingPong = false
  /** When the participation was last checked, or the socket opened. */
  checkedAt = Date.now()
  isClosed = false
  readonly #ws: WebSocket
  readonly #socket: Duplex
  readonly #maxBuffered: number
  readonly #onClosing: ConnectionOptions['onClosing']

  constructor({ ws, socket, maxBuffered, onClosing }: ConnectionOptions) {
    this.#ws = ws
    this.#socket = socket
    this.#maxBuffered = maxBuffered
    this.#onClosing = onClosing
  }

  /**
   * Writes a prepared frame directly to the socket, because the websocket library would build a header per subscriber.
   */
  send(frame: Buffer) {
    if (this.isClosed || this.#ws.readyState !== WebSocket.OPEN) return
    if (this.#socket.writableLength > this.#maxBuffered) return this.close(closeCodes.slow)
    this.#socket.write(frame)
  }

  /** Nothing is sent after the close frame. A peer that does not answer it is disconnected. */
  close(close: CloseCode) {
    if (this.isClosed) return
    this.isClosed = true
    this.#onClosing(this, close)
    this.#ws.close(close.code, close.reason)
    setTimeout(() => this.#socket.destroy(), closeTimeoutMs).unref()
  }

  /** The peer is gone, so nothing is sent. */
  lost() {
    if (this.isClosed) return
    this.isClosed = true
    this.#onClosing(this, { code: 1006, reason: 'connection lost' })
  }
}
