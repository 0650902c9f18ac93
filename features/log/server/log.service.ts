import type { Signing } from './head-log/head-log.service.ts'
import { takeKeptHeads } from './heads.service.ts'
import { packRunning } from './people/people-packed.service.ts'
import { sealDue } from './sealing.service.ts'

interface LogNeeds extends Signing {
  onTrouble: (error: unknown) => void
}

/** Rounds from one look at all logs to the next: a minute or so. */
const seldom = 6

/** How a worker seals the logs of all events, every ten seconds. Before a log goes on after a restore, its lost heads are known. */
export function logWork({ onTrouble, ...signing }: LogNeeds): () => Promise<void> {
  const { system } = signing
  let round = 0
  return async () => {
    const isAll = round++ % seldom === 0
    await takeKeptHeads(signing).catch(onTrouble)
    await sealDue(system, onTrouble, isAll)
    if (isAll) await packRunning(system, onTrouble)
  }
}
