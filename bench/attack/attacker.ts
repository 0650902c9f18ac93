import { constants, setPriority } from 'node:os'
import { httpFloods } from './http-floods.ts'
import { socketFloods } from './socket-floods.ts'
import type { Target } from './target.ts'

/**
 * One attacker in a separate process with the lowest priority. Without that, two cores would spend their time on the
 * attacker's own work.
 */
setPriority(constants.priority.PRIORITY_LOW)

export type Order = { attack: string; target: Target } | 'stop'

const attacks = { ...httpFloods, ...socketFloods }
let life = new AbortController()

process.on('message', async (order: Order) => {
  if (order === 'stop') return life.abort()
  life = new AbortController()
  const outcomes: Record<string, number> = {}
  const tell = (outcome: string | number) => {
    outcomes[outcome] = (outcomes[outcome] ?? 0) + 1
  }
  await attacks[order.attack]?.(order.target, life.signal, tell)
  process.send?.(outcomes)
})
process.once('disconnect', () => process.exit())
