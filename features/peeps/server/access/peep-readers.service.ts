import type { CallAnswer } from '#kernel/route.ts'
import type { Tx } from '#server/platform/db/db.ts'
import type { DutyActor } from '#server/wardens/actor.ts'
import type { listPlanReaders } from '../../calls/plan-access.ts'
import { plansOfOneReader } from '../../kinds.ts'
import { listReaderRows, type OfEvent } from './peep-readers.queries.ts'

const mostReaders = 200

/** Readers and numbers, not persons. */
export async function presentReaders(
  tx: Tx,
  { clientUid, event }: DutyActor,
): Promise<CallAnswer<typeof listPlanReaders>> {
  const rows = await listReaderRows(tx, { clientUid, eventUid: event.uid }, { opened: -1, most: mostReaders })
  return {
    readers: rows.map(({ name, role, opened, listed, lastAt }) => ({
      name,
      role,
      opened,
      listed,
      last_at: lastAt.toISOString(),
    })),
    more: (rows[0]?.readers ?? 0) - rows.length,
  }
}

/** Who has opened more plans than one reader usually needs. */
export async function readersOfMany(tx: Tx, of: OfEvent): Promise<{ name: string; role: string; plans: number }[]> {
  const rows = await listReaderRows(tx, of, { opened: plansOfOneReader, most: mostReaders })
  return rows.map(({ name, role, opened }) => ({ name, role: role ?? '', plans: opened }))
}
