import { expect } from 'vitest'
import { WebSocket } from 'ws'
import { tokenFor } from './hub.fixture.ts'

/** A raw peer, for input that the official client would never send. */
export class RawSocket implements Disposable {
  readonly ws: WebSocket
  readonly messages: string[] = []
  closed: { code: number; reason: string } | null = null
  refused: string | null = null

  constructor(url: string, headers: Record<string, string> = {}) {
    this.ws = new WebSocket(url, { headers, perMessageDeflate: false })
    this.ws.on('message', (data) => this.messages.push(String(data)))
    this.ws.on('error', ({ message }) => {
      this.refused = message
    })
    this.ws.on('close', (code, reason) => {
      this.closed = { code, reason: String(reason) }
    })
  }

  static async open(url: string, headers?: Record<string, string>) {
    const socket = new RawSocket(url, headers)
    await new Promise((done) => {
      socket.ws.once('open', done)
      socket.ws.once('error', done)
    })
    return socket
  }

  /** A socket whose connect command was accepted. */
  static async connected(url: string, sub: string, channels: string[] = [], session?: string) {
    const token = await tokenFor(sub, channels, undefined, session)
    const socket = await RawSocket.open(url)
    const answered = new Promise((done) => {
      socket.ws.once('message', done)
      socket.ws.once('close', done)
    })
    socket.send({ id: 1, connect: { token } })
    await answered
    return socket
  }

  send(...commands: unknown[]) {
    this.ws.send(
      commands.map((command) => (typeof command === 'string' ? command : JSON.stringify(command))).join('\n'),
    )
  }

  /** Sends one command and returns the reply. */
  async ask(id: number, command: object): Promise<Record<string, unknown>> {
    this.send({ id, ...command })
    const answer = () => this.messages.map((message) => JSON.parse(message)).find((reply) => reply.id === id)
    await expect.poll(answer, { timeout: 20_000, interval: 2 }).toBeDefined()
    return answer()
  }

  [Symbol.dispose]() {
    this.ws.terminate()
  }
}
