import type { Db, Tx } from '#server/platform/db/db.ts'
import type { JobQueue } from '#server/platform/db/jobs.ts'
import { markSilence, textSilent } from './no-contact.queries.ts'

export interface CommandWatch {
  system: Db
  jobs: JobQueue
  appUrl: string
  /** Wakes the hubs after the commit. */
  announce: () => void
}

/** Notes who in command is not heard, or is heard again. The worker calls it every few seconds. */
export async function watchCommand({ system, jobs, appUrl, announce }: CommandWatch): Promise<void> {
  const marked = await system.transaction().execute(async (trx) => {
    const tx = trx as Tx
    const turns = await markSilence(tx)
    const silent = turns.filter(({ isSilent }) => isSilent)
    if (silent.length > 0) await textSilent(tx, silent, appUrl)
    for (const { eventUid } of silent) await jobs.enqueue(tx, 'texts', { event_uid: eventUid })
    return turns.length
  })
  if (marked > 0) announce()
}
