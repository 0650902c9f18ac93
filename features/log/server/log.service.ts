import type { CallOut } from '#server/platform/outgoing.ts'
import type { Signing } from './head-log/head-log.service.ts'
import { signDueHeads, stampHeads, takeKeptHeads } from './heads.service.ts'
import { packRunning } from './people/people-packed.service.ts'
import { sealDue } from './sealing.service.ts'
import type { Authority } from './time-stamp.ts'
import { askWitnesses, type Witness } from './witnesses/witnesses.service.ts'

interface LogNeeds extends Signing {
  /** Absent: heads get no time stamps. */
  authority: Authority | undefined
  /** Who signs the log of heads, too. */
  witnesses?: readonly Witness[]
  callOut?: CallOut
  onTrouble: (error: unknown) => void
}

/** Rounds from one look at all logs to the next: a minute or so. */
const seldom = 6

/** What a worker does for the logs of all events, every ten seconds. */
export function logWork({ authority, witnesses = [], callOut, onTrouble, ...signing }: LogNeeds): () => Promise<void> {
  const { system } = signing
  let round = 0
  return async () => {
    const isAll = round++ % seldom === 0
    await takeKeptHeads(signing).catch(onTrouble)
    await sealDue(system, onTrouble, isAll)
    if (isAll) await packRunning(system, onTrouble)
    await signDueHeads(signing, onTrouble)
    if (isAll && callOut) await askWitnesses({ ...signing, callOut, witnesses }, onTrouble)
    if (isAll && authority) await stampHeads(system, authority, onTrouble)
  }
}
