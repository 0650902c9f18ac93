import { once } from 'node:events'
import { connect, createServer, type NetConnectOpts, type Server, type Socket } from 'node:net'
import { setTimeout as delay } from 'node:timers/promises'
import type { Random } from './random.ts'

/** Milliseconds until TCP sends a lost packet again. The wait doubles each time the same packet is lost. */
const retransmissionMs = 200

interface Disturbance {
  /** Holds back all bytes in both directions. No socket closes. */
  holds: boolean
  /** Share of chunks that are lost once or more and arrive after TCP has sent them again. */
  loss: number
  /** Milliseconds added to each chunk. */
  delayMs: number
  /** Share of answers that are lost with their connection. The request has gone through. */
  cutAnswers: number
}
const fair: Disturbance = { holds: false, loss: 0, delayMs: 0, cutAnswers: 0 }

/** A TCP proxy between two programs that can disturb the connection. */
export class Line {
  readonly #target: NetConnectOpts
  readonly #random: Random
  readonly #server: Server
  readonly #sockets = new Set<Socket>()
  #weather: Disturbance = fair
  #calm = Promise.withResolvers<void>()

  constructor(target: NetConnectOpts, random: Random) {
    this.#target = target
    this.#random = random
    this.#calm.resolve()
    this.#server = createServer({ allowHalfOpen: true }, (near) => void this.#join(near))
  }

  async listen(port: number): Promise<void> {
    this.#server.listen(port, '127.0.0.1')
    await once(this.#server, 'listening')
  }

  disturb(weather: Partial<Disturbance>): void {
    this.#weather = { ...fair, ...weather }
    if (this.#weather.holds) this.#calm = Promise.withResolvers()
    else this.#calm.resolve()
  }

  heal(): void {
    this.disturb(fair)
  }

  /** Ends every connection with a reset. */
  resetAll(): void {
    for (const socket of this.#sockets) reset(socket)
  }

  async close(): Promise<void> {
    this.heal()
    this.#server.close()
    for (const socket of this.#sockets) socket.destroy()
  }

  async #join(near: Socket): Promise<void> {
    this.#watch(near)
    await this.#calm.promise
    const far = connect({ allowHalfOpen: true, ...this.#target })
    this.#watch(far)
    await Promise.all([this.#carry(near, far, 'there'), this.#carry(far, near, 'back')])
  }

  #watch(socket: Socket): void {
    this.#sockets.add(socket)
    socket.setNoDelay(true)
    socket.on('error', () => undefined)
    socket.on('close', () => this.#sockets.delete(socket))
  }

  async #carry(from: Socket, to: Socket, way: 'there' | 'back'): Promise<void> {
    try {
      for await (const piece of from) {
        await this.#pass()
        if (way === 'back' && this.#random.chance(this.#weather.cutAnswers)) throw new Error('cut')
        if (!to.write(piece)) await untilTaken(to)
      }
      await this.#calm.promise
      to.end()
    } catch {
      // while the line is held, the other side must not notice
      await this.#calm.promise
      from.destroy()
      reset(to)
    }
  }

  async #pass(): Promise<void> {
    await this.#calm.promise
    const { delayMs, loss } = this.#weather
    if (delayMs > 0) await delay(delayMs)
    for (let wait = retransmissionMs; this.#random.chance(loss); wait *= 2) await delay(wait)
    await this.#calm.promise
  }
}

/** Removes its listeners, because a line may run for hours. */
async function untilTaken(socket: Socket): Promise<void> {
  const listening = new AbortController()
  const { signal } = listening
  try {
    await Promise.race([once(socket, 'drain', { signal }), once(socket, 'close', { signal })])
  } finally {
    listening.abort()
  }
}

/** A Unix socket has no reset. */
function reset(socket: Socket): void {
  if (socket.localPort === undefined) socket.destroy()
  else socket.resetAndDestroy()
}
