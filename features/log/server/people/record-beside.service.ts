import type { Tx } from '#server/platform/db/db.ts'
import { type JournalActor, type JournalEntry, record } from '#server/platform/db/journal.ts'
import { findBy } from './by.queries.ts'

/**
 * Appends entries of someone who does not take part in the event, or after its end: no one packs their name, so the entries say
 * themselves by whom they are. `name`: of who has no account. Erasing that person erases these lines.
 */
export async function recordBeside(
  tx: Tx,
  actor: JournalActor,
  entries: readonly JournalEntry[],
  name?: string,
): Promise<void> {
  const by = name === undefined ? await findBy(tx, actor) : { name, role: null }
  await record(tx, actor, by === undefined ? entries : entries.map((entry) => withBy(entry, by)))
}

const withBy = (entry: JournalEntry, by: { name: string; role: string | null }): JournalEntry => ({
  ...entry,
  after: Object.assign({}, entry.after, { by }),
})
