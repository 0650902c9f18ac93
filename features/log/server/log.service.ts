import type { Db } from '#server/platform/db/db.ts'
import { signDueHeads, stampHeads } from './heads.service.ts'
import { packRunning } from './people/people-packed.service.ts'
import { sealDue } from './sealing.service.ts'
import type { Signer } from './signed-note.ts'
import type { Authority } from './time-stamp.ts'

interface LogNeeds {
  system: Db
  signer: Signer
  /** Absent: heads get no time stamps. */
  authority: Authority | undefined
  onTrouble: (error: unknown) => void
}

/** Rounds from one look at all logs to the next: a minute or so. */
const seldom = 6

/** What a worker does for the logs of all events, every ten seconds. */
export function logWork({ system, signer, authority, onTrouble }: LogNeeds): () => Promise<void> {
  let round = 0
  return async () => {
    const isAll = round++ % seldom === 0
    await sealDue(system, onTrouble, isAll)
    if (isAll) await packRunning(system, onTrouble)
    await signDueHeads(system, signer, onTrouble)
    if (isAll && authority) await stampHeads(system, authority, onTrouble)
  }
}
