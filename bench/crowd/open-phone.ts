import { once } from 'node:events'
import { setTimeout as delay } from 'node:timers/promises'
import WebSocket from 'ws'

const ping = '{}'

/** Opens a socket and sends the greetings one after the other: the server answers each with one message. `hear` gets what comes then. */
export async function openPhone(address: string, greetings: readonly string[], hear: (message: Buffer) => void) {
  const socket = await open(address)
  let next = (_message: Buffer) => {}
  socket.on('message', (data: Buffer) => {
    for (const line of linesOf(data))
      if (line.length === ping.length) socket.send(ping)
      else next(line)
  })
  socket.on('close', (code) => {
    throw new Error(`a phone lost its socket: ${code}`)
  })
  for (const greeting of greetings) {
    const answer = new Promise<Buffer>((resolve) => {
      next = resolve
    })
    socket.send(greeting)
    if (/"error"/.test(String(await answer))) throw new Error(`a phone was turned down: ${await answer}`)
  }
  next = hear
}

/** Centrifugo may put several messages into one frame. */
function linesOf(frame: Buffer): Buffer[] {
  const end = frame.indexOf('\n')
  return end < 0 ? [frame] : [frame.subarray(0, end), ...linesOf(frame.subarray(end + 1))]
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
