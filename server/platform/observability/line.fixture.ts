import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type NetConnectOpts, type Socket } from 'node:net'

/** A TCP line to a server that can go silent (both ends stay open and nothing gets through) or be refused. */
export async function openLine(target: NetConnectOpts) {
  const sockets = new Set<Socket>()
  let isSilent = false
  let isRefused = false
  const keep = (socket: Socket) => {
    sockets.add(socket)
    socket.on('error', () => undefined)
    socket.on('close', () => sockets.delete(socket))
    if (isSilent) socket.pause()
  }
  const server = createServer((near) => {
    if (isRefused) return void near.destroy()
    const far = connect(target)
    for (const [from, to] of [
      [near, far],
      [far, near],
    ] as const) {
      keep(from)
      from.on('data', (piece) => void to.write(piece))
      from.on('close', () => to.destroy())
      if (isSilent) from.pause()
    }
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    port: (server.address() as AddressInfo).port,
    fallSilent() {
      isSilent = true
      for (const socket of sockets) socket.pause()
    },
    refuse() {
      isRefused = true
      for (const socket of sockets) socket.destroy()
    },
    heal() {
      isSilent = false
      isRefused = false
      for (const socket of sockets) socket.resume()
    },
    async [Symbol.asyncDispose]() {
      server.close()
      for (const socket of sockets) socket.destroy()
    },
  }
}
