import { setTimeout as delay } from 'node:timers/promises'
import WebSocket from 'ws'
import { getChannelToken } from '#features/live-updates/calls/realtime.ts'
import { callerOf } from '#kernel/client/fetch-caller.ts'
import { aborted, closed, openTo } from './http-floods.ts'
import { type Attack, loops, type Target } from './target.ts'

type Tell = Parameters<Attack>[2]

/** A socket that sends a command and waits for its answer. */
class Line {
  readonly ws: WebSocket
  #hear: (text: string) => void = () => undefined
  #id = 0

  constructor(address: string, tell: Tell) {
    this.ws = new WebSocket(address, { perMessageDeflate: false })
    this.ws.on('message', (data) => this.#hear(String(data)))
    this.ws.on('close', (code) => {
      tell(code)
      this.#hear('')
    })
    this.ws.on('error', () => undefined)
  }

  async ask(command: object): Promise<string> {
    if (this.ws.readyState === WebSocket.CONNECTING)
      await Promise.race([new Promise((done) => this.ws.once('open', done)), closed(this.ws)])
    if (this.ws.readyState !== WebSocket.OPEN) return ''
    const answer = new Promise<string>((resolve) => {
      this.#hear = resolve
    })
    this.ws.send(JSON.stringify({ id: ++this.#id, ...command }))
    return answer
  }
}

/** The channel token of the attacker's session, and the full address of the socket. */
async function tokenOf({ url, token }: Target): Promise<{ token: string; url: string }> {
  const channel = await callerOf(url, token)(getChannelToken, {})
  return { token: channel.token, url: new URL(channel.url, url.replace(/^http/, 'ws')).href }
}
const channelOf = ({ eventUid }: Target) => `event:${eventUid}`

export const socketFloods: Record<string, Attack> = {
  'history reads on 40 sockets of one warden': async (target, life, tell) => {
    const { token, url } = await tokenOf(target)
    const channel = channelOf(target)
    await loops(40, life, async () => {
      const line = new Line(url, tell)
      await line.ask({ connect: { token } })
      await line.ask({ subscribe: { channel } })
      while (!life.aborted && line.ws.readyState === WebSocket.OPEN) {
        tell((await line.ask({ history: { channel, limit: 500 } })).includes('"error"') ? 'history refused' : 'history')
        await delay(50) // below the rate that would close the socket
      }
      line.ws.terminate()
      await delay(50)
    })
  },
  'one warden connects, recovers and leaves, on 20 lines': async (target, life, tell) => {
    const { token, url } = await tokenOf(target)
    const channel = channelOf(target)
    const first = new Line(url, tell)
    await first.ask({ connect: { token } })
    const epoch = /"epoch":"([^"]*)"/.exec(await first.ask({ subscribe: { channel } }))?.[1]
    first.ws.terminate()
    await loops(20, life, async () => {
      const line = new Line(url, tell)
      await line.ask({ connect: { token } })
      const answer = await line.ask({ subscribe: { channel, recover: true, epoch, offset: 1 } })
      tell(answer.includes('recover') ? 'recovery' : 'no recovery')
      line.ws.terminate()
      await delay(5)
    })
  },
  '600 sockets of one token': async (target, life, tell) => {
    const { token, url } = await tokenOf(target)
    const channel = channelOf(target)
    await loops(600, life, async (loop) => {
      await delay(loop * 2)
      const line = new Line(url, tell)
      await line.ask({ connect: { token } })
      await line.ask({ subscribe: { channel } })
      if (line.ws.readyState === WebSocket.OPEN) await Promise.race([closed(line.ws), aborted(life)])
      line.ws.terminate()
      await delay(100)
    })
  },
  'frames of the largest size on 40 sockets': async (target, life, tell) => {
    const { token, url } = await tokenOf(target)
    const padding = 'x'.repeat(16_000)
    await loops(40, life, async (loop) => {
      const line = new Line(url, tell)
      if (loop % 2) await line.ask({ connect: { token } })
      tell((await line.ask(loop % 2 ? { ping: { padding } } : { connect: { token: padding } })) ? 'answered' : 'closed')
      if (loop % 4 === 0) await line.ask({ ping: { padding: padding.repeat(64) } })
      line.ws.terminate()
      await delay(20)
    })
  },
  'upgrades that are none': async ({ url }, life, tell) => {
    const upgrade = 'Connection: Upgrade\r\nUpgrade: websocket\r\n'
    const heads = [
      `GET /nowhere HTTP/1.1\r\nHost: x\r\n${upgrade}\r\n`,
      `GET /connection/websocket HTTP/1.1\r\nHost: x\r\nOrigin: https://evil.example\r\n${upgrade}\r\n`,
      `GET /connection/websocket HTTP/1.1\r\nHost: x\r\n${upgrade}Sec-WebSocket-Version: 1\r\n\r\n`,
      `GET /connection/websocket HTTP/1.1\r\nHost: x\r\n${upgrade}Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: ${'AAAAAAAAAAAAAAAAAAAAAA=='}\r\n\r\n\0\0\0`,
    ]
    await loops(100, life, async (loop) => {
      const socket = openTo(url, tell)
      socket.write(heads[loop % heads.length] as string)
      await Promise.race([closed(socket), delay(200)])
      socket.destroy()
      await delay(10)
    })
  },
}
