import { openPhone } from './open-phone.ts'
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
let arrivals: number[] = []
let phones = 0

process.once('message', async ({ address, greetings }: Opening) => {
  const waiting = [...greetings]
  const worker = async () => {
    for (let mine = waiting.pop(); mine; mine = waiting.pop()) await openPhone(address, mine, hear)
  }
  await Promise.all(Array.from({ length: atOnce }, worker))
  phones = greetings.length
  process.send?.('open')
})
process.once('disconnect', () => process.exit())

function hear() {
  arrivals.push(sharedNow())
  if (arrivals.length === phones) tellRound()
}

function tellRound() {
  process.send?.(arrivals)
  arrivals = []
}
