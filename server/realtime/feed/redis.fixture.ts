import { once } from 'node:events'
import { type AddressInfo, createServer, type Socket } from 'node:net'

/**
 * Stands in for Redis, with the part of its protocol that publishing and subscribing need. `npm run test:cluster` uses
 * the real one.
 */
export class StandInRedis {
  readonly #server = createServer((socket) => this.#accept(socket))
  readonly #sockets = new Set<Socket>()
  readonly #subscribers = new Set<Socket>()
  #port = 0
  /** Accepts everything and answers nothing, like a network blackhole. */
  isSilent = false
  published = 0

  static async start(): Promise<StandInRedis> {
    const redis = new StandInRedis()
    await redis.start()
    return redis
  }

  get url() {
    return `redis://127.0.0.1:${this.#port}`
  }

  subscribers = () => this.#subscribers.size

  /** Reuses its previous port after it was killed. */
  async start() {
    this.#server.listen(this.#port, '127.0.0.1')
    await once(this.#server, 'listening')
    this.#port = (this.#server.address() as AddressInfo).port
  }

  async kill() {
    const closed = once(this.#server, 'close')
    this.#server.close()
    for (const socket of this.#sockets) socket.destroy()
    await closed
  }

  [Symbol.asyncDispose] = () => this.kill()

  #accept(socket: Socket) {
    this.#sockets.add(socket)
    let unread = ''
    socket.setEncoding('latin1').on('data', (text) => {
      const { commands, rest } = readCommands(unread + text)
      unread = rest
      for (const command of commands) this.#answer(socket, command)
    })
    socket.on('error', () => undefined)
    socket.on('close', () => {
      this.#sockets.delete(socket)
      this.#subscribers.delete(socket)
    })
  }

  #answer(socket: Socket, [name = '', channel = '', message = '']: string[]) {
    if (this.isSilent) return
    const command = name.toUpperCase()
    if (command === 'SUBSCRIBE') {
      this.#subscribers.add(socket)
      socket.write(`*3\r\n${bulk('subscribe')}${bulk(channel)}:1\r\n`)
    } else if (command === 'PUBLISH') {
      this.published += 1
      for (const each of this.#subscribers) each.write(`*3\r\n${bulk('message')}${bulk(channel)}${bulk(message)}`)
      socket.write(`:${this.#subscribers.size}\r\n`)
    } else socket.write('+OK\r\n')
  }
}

const bulk = (text: string) => `$${text.length}\r\n${text}\r\n`

/** Splits the text into complete commands, each an array of bulk strings, and the rest. */
function readCommands(text: string): { commands: string[][]; rest: string } {
  const commands: string[][] = []
  let rest = text
  for (;;) {
    const count = /^\*(\d+)\r\n/.exec(rest)
    const whole = count && new RegExp(`^\\*\\d+\\r\\n(?:\\$\\d+\\r\\n[^\\r]*\\r\\n){${count[1]}}`).exec(rest)
    if (!whole) return { commands, rest }
    commands.push([...whole[0].matchAll(/\$\d+\r\n([^\r]*)\r\n/g)].map(([, word = '']) => word))
    rest = rest.slice(whole[0].length)
  }
}
