import type { Db, Tx } from '#server/platform/db/db.ts'
import type { JobQueue } from '#server/platform/db/jobs.ts'
import { textUnopenedMessages } from './unopened.queries.ts'

const pageSize = 500

/** Texts what wardens on duty have not opened for 60 s, each message once. The worker calls it every few seconds. */
export async function textUnopened(system: Db, jobs: JobQueue): Promise<void> {
  const page = () =>
    system.transaction().execute(async (trx) => {
      const tx = trx as Tx
      const events = await textUnopenedMessages(tx, pageSize)
      for (const event_uid of new Set(events)) await jobs.enqueue(tx, 'texts', { event_uid })
      return events.length
    })
  while ((await page()) === pageSize);
}
