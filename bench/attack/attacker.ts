import { constants, setPriority } from 'node:os'
import { httpFloods } from './http-floods.ts'
import { socketFloods } from './socket-floods.ts'
import type { Target } from './target.ts'

/**
 * One attacker in a process of its own. It has the lowest priority: on two cores its own work would otherwise be what is
 * measured, and not the server's.
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
