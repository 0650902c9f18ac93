import { connect } from 'node:net'
import type { RawRequest } from './spoilt-requests.fixture.ts'

export interface RawAnswer {
  status: number
  type: string
  body: string
}

/** Sends the bytes unchanged on a new connection. Rejects if there is no answer within 15 s. */
export function askRaw(port: number, bytes: Buffer): Promise<RawAnswer> {
  const { promise, resolve, reject } = Promise.withResolvers<RawAnswer>()
  const parts: Buffer[] = []
  const socket = connect({ port, host: '127.0.0.1' })
  const overdue = setTimeout(() => {
    reject(new Error('no answer within 15 s'))
    socket.destroy()
  }, 15_000)
  socket.on('data', (part) => parts.push(part))
  // disconnected while still sending: an answer received before that counts
  socket.on('error', () => undefined)
  socket.on('close', () => {
    clearTimeout(overdue)
    resolve(read(Buffer.concat(parts).toString().replace('HTTP/1.1 100 Continue\r\n\r\n', '')))
  })
  socket.write(bytes)
  return promise
}

function read(text: string): RawAnswer {
  const [, status, head, body] = /^HTTP\/1\.1 (\d{3})([\s\S]*?)\r\n\r\n([\s\S]*)$/.exec(text) ?? []
  const type = /^content-type: *(.*?)\r?$/im.exec(head ?? '')?.[1]
  return { status: Number(status ?? 0), type: type ?? '', body: body ?? '' }
}

export function bytesOf({ method, path, headers, body }: RawRequest): Buffer {
  const own: [string, string][] = [
    ['connection', 'close'],
    ['content-length', String(body.length)],
  ]
  const host: [string, string][] = headers.some(([name]) => name === 'host') ? [] : [['host', '127.0.0.1']]
  const isBare = body.length === 0 && ['GET', 'HEAD', 'DELETE'].includes(method)
  const lines = [...host, ...headers, ...(isBare ? own.slice(0, 1) : own)].map(([name, value]) => `${name}: ${value}`)
  return Buffer.concat([Buffer.from(`${method} ${path} HTTP/1.1\r\n${lines.join('\r\n')}\r\n\r\n`, 'latin1'), body])
}
