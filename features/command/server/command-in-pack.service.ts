import type { Db } from '#server/platform/db/db.ts'
import { type EventOf, findCurrentTurn } from './command.queries.ts'

export interface InCommand {
  name: string
  role: string
  phone: string | null
  /** When the leader was heard last. Null while the leader is heard. */
  silentSince: Date | null
}

/** Who leads the event. Null if nobody does. */
export async function findInCommand(db: Db, event: EventOf): Promise<InCommand | null> {
  const turn = await findCurrentTurn(db, event)
  if (!turn?.leader) return null
  const { name, role, phone } = turn.leader
  return { name, role, phone, silentSince: turn.silentAt }
}
