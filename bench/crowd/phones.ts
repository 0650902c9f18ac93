import { once } from 'node:events'
import { setTimeout as delay } from 'node:timers/promises'
import WebSocket from 'ws'
import { sharedNow } from './shared-clock.ts'

/**
 * Many phones in one process, apart from the server's memory and work. Each phone opens a socket and sends its
 * greetings one after the other. Then it waits for one publication per round. When all phones have it, the parent is
 * told.
 */
export interface Opening {
  address: string
  /** What each phone sends after opening. The server answers each greeting with one message. */
  greetings: string[][]
}

const atOnce = 25
const ping = '{}'
let arrivals: number[] = []
let phones = 0

process.once('message', async ({ address, greetings }: Opening) => {
  const waiting = [...greetings]
  const worker = async () => {
    for (let mine = waiting.pop(); mine; mine = waiting.pop()) await connect(address, mine)
  }
  await Promise.all(Array.from({ length: atOnce }, worker))
  phones = greetings.length
  process.send?.('open')
})
process.once('disconnect', () => process.exit())

async function connect(address: string, greetings: readonly string[]) {
  const socket = await open(address)
  let hear = (_message: Buffer) => {}
  socket.on('message', (data: Buffer) => {
    if (data.length === ping.length) socket.send(ping)
    else hear(data)
  })
  socket.on('close', (code) => {
    throw new Error(`a phone lost its socket: ${code}`)
  })
  for (const greeting of greetings) {
    const answer = new Promise<Buffer>((resolve) => {
      hear = resolve
    })
    socket.send(greeting)
    if (/"error"/.test(String(await answer))) throw new Error(`a phone was turned down: ${await answer}`)
  }
  hear = () => {
    arrivals.push(sharedNow())
    if (arrivals.length === phones) tellRound()
  }
}

/** Tries again, because a server that thousands call at once may miss a call. */
async function open(address: string): Promise<WebSocket> {
  for (let tries = 1; ; tries++) {
    const socket = new WebSocket(address, { perMessageDeflate: false })
    try {
      await once(socket, 'open')
      return socket
    } catch (error) {
      console.error(`A phone could not open its socket (${tries}): ${error}`)
      if (tries === 5) throw error
      await delay(500)
    }
  }
}

function tellRound() {
  process.send?.(arrivals)
  arrivals = []
}
