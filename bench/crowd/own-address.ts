import { Agent, type IncomingMessage, request as send } from 'node:http'
import { text } from 'node:stream/consumers'
import WebSocket from 'ws'
import { ApiError, type Call, createCaller } from '#kernel/client/client.ts'

/** Milliseconds. The web app waits as long for an answer. */
const patienceMs = 10_000
let addresses = 0
let phones = 0
/** Connections that this process keeps open at one address when no one asks. */
const maxFreeSockets = 16
const agents = Array.from(
  { length: 16 },
  () => new Agent({ keepAlive: true, maxFreeSockets, localAddress: ownAddress() } as never),
)

/**
 * A further address of this machine. Thousands of connections that come and go between the same two addresses use up
 * the ports, and the phones then spend their time on finding one, or cannot ask at all.
 */
export function ownAddress() {
  const nth = ++addresses
  return `127.${1 + (process.pid % 250)}.${nth >> 8}.${nth % 256}`
}

/** Sockets of this address. */
export const socketFrom = (localAddress: string) =>
  class extends WebSocket {
    constructor(url: string, protocols?: string | string[]) {
      super(url, protocols, { localAddress })
    }
  }

/**
 * Calls as the web app makes them, on connections that all phones share, as behind a reverse proxy: with a connection for
 * each the server needs twice the files. The content of a compressed answer is not read.
 */
export function sharedCaller(base: string, token: string): Call {
  const agent = agents[phones++ % agents.length] as Agent
  const headers = {
    authorization: `Bearer ${token}`,
    'content-type': 'application/json',
    'accept-encoding': 'br, gzip',
  }
  const ask = (method: string, url: string) =>
    new Promise<IncomingMessage>((resolve, reject) => {
      const signal = AbortSignal.timeout(patienceMs)
      send(base + url, { method, agent, headers, signal }, resolve)
        .on('error', reject)
        .end()
    })
  return createCaller(async ({ method, url }) => {
    try {
      const answer = await ask(method, url)
      const body = await text(answer)
      const json = answer.headers['content-encoding'] ? {} : JSON.parse(body)
      return { status: answer.statusCode ?? 0, json }
    } catch (error) {
      throw new ApiError('unreachable', String(error))
    }
  })
}
