import { once } from 'node:events'
import { connect, createServer, type NetConnectOpts, type Server, type Socket } from 'node:net'
import { setTimeout as delay } from 'node:timers/promises'
import type { Random } from './random.ts'

/** Milliseconds that TCP waits before it sends a lost packet again; it doubles for the same packet. */
const retransmissionMs = 200

interface Weather {
  /** Everything is held back, in both directions, until it ends; no socket closes. */
  holds: boolean
  /** Share of pieces that are lost, and come when TCP has sent them again. */
  loss: number
  /** Milliseconds for each piece. */
  delayMs: number
  /** Share of answers with which the connection is cut, after the request went through. */
  cutAnswers: number
}
const fair: Weather = { holds: false, loss: 0, delayMs: 0, cutAnswers: 0 }

/** A line between two programs that can be disturbed, as bytes of TCP see it. */
export class Line {
  readonly #target: NetConnectOpts
  readonly #random: Random
  readonly #server: Server
  readonly #sockets = new Set<Socket>()
  #weather: Weather = fair
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

  disturb(weather: Partial<Weather>): void {
    this.#weather = { ...fair, ...weather }
    if (this.#weather.holds) this.#calm = Promise.withResolvers()
    else this.#calm.resolve()
  }

  heal(): void {
    this.disturb(fair)
  }

  /** Every connection ends with a reset, now. */
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
      // the other side learns of it when the line carries anything again
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

/** Nobody listens any more afterwards: a line carries for hours. */
async function untilTaken(socket: Socket): Promise<void> {
  const listening = new AbortController()
  const { signal } = listening
  try {
    await Promise.race([once(socket, 'drain', { signal }), once(socket, 'close', { signal })])
  } finally {
    listening.abort()
  }
}

/** A local socket knows no reset. */
function reset(socket: Socket): void {
  if (socket.localPort === undefined) socket.destroy()
  else socket.resetAndDestroy()
}
