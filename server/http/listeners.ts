import { once } from 'node:events'
import { type AddressInfo, createServer, type Server } from 'node:net'
import type { FastifyInstance } from 'fastify'

interface Address {
  port: number
  host: string
}

/**
 * Node takes one connection from a listener in each turn of its event loop. While thousands of phones come back a turn takes
 * 10 ms: one listener lets 100 a second in, and the others give up before their turn comes.
 */
const doors = 16
/**
 * Connections that wait at each door, 2,048 in all. The kernel lets the others try again. More would wait for longer than the
 * 5 s after which a phone gives up, and the process would then serve the dead alone.
 */
const backlog = 128
/** The others of the kernels we know hand out no connections among listeners of one port. */
const canShare = process.platform === 'linux'

/** Several listeners of one port that lead to one HTTP server. */
export function frontDoors(app: FastifyInstance) {
  const enter = (socket: unknown) => app.server.emit('connection', socket)
  const further: Server[] = []

  return {
    async open({ port, host }: Address) {
      if (!canShare) return void (await app.listen({ port, host, backlog: doors * backlog }))
      const shared = await claim({ port, host })
      await app.ready()
      while (further.length < doors - 1) {
        const server = createServer({ allowHalfOpen: true, noDelay: true }, enter)
        await listening(server, { port: shared, host, backlog, reusePort: true })
        further.push(server)
      }
      const last = { port: shared, host, backlog, reusePort: true }
      await app.listen(last)
    },

    /** Lets no one in any more. Resolves when the last request is answered. */
    async close() {
      const ended = further.map((server) => once(server, 'close'))
      for (const server of further) server.close()
      await app.close()
      await Promise.all(ended)
    },
  }
}

/** The port, a free one for 0. Throws if another program has it: listeners that share it would not notice. */
async function claim(address: Address): Promise<number> {
  const server = createServer()
  await listening(server, address)
  const { port } = server.address() as AddressInfo
  server.close()
  await once(server, 'close')
  return port
}

async function listening(server: Server, options: object) {
  server.listen(options)
  await once(server, 'listening')
}
