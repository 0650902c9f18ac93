import { WebSocket } from 'ws'
import { tokenFor } from './hub.fixture.ts'

/** A peer that keeps no protocol: for what the official client would never do. */
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

  /** Has sent its token and been welcomed. */
  static async connected(url: string, sub: string, channels: string[] = []) {
    const token = await tokenFor(sub, channels)
    const socket = await RawSocket.open(url)
    const answered = new Promise((done) => socket.ws.once('message', done))
    socket.send({ id: 1, connect: { token } })
    await answered
    return socket
  }

  send(...commands: unknown[]) {
    this.ws.send(
      commands.map((command) => (typeof command === 'string' ? command : JSON.stringify(command))).join('\n'),
    )
  }

  [Symbol.dispose]() {
    this.ws.terminate()
  }
}
