import type { Tx } from '#server/platform/db/db.ts'
import type { EventRecord } from '../../calls/record.ts'
import { listAttendance, type Of } from '../figures.queries.ts'
import { contactGapsOf } from './contact-gaps.ts'
import { listLastSeen, listRegained } from './contact-gaps-read.queries.ts'

/** A record lists so many gaps. All of them count. */
const mostGaps = 1000

/** Who was out of contact, and when. Null: no node has seen a phone of this event. */
export async function contactOf(tx: Tx, of: Of, end: number): Promise<NonNullable<EventRecord['contact']> | null> {
  const wardens = await listLastSeen(tx, of)
  const lastSeen = new Map(
    wardens.flatMap(({ signInUid, seen }) => (seen === null ? [] : [[signInUid, seen] as const])),
  )
  if (lastSeen.size === 0) return null
  const [attendance, regained] = [await listAttendance(tx, of), await listRegained(tx, of)]
  const found = contactGapsOf({ attendance, lastSeen, regained, end })
  const names = new Map(wardens.map(({ signInUid, name, role }) => [signInUid, { name, role }]))
  return {
    wardens: found.wardens,
    to_the_end: found.toTheEnd,
    service: found.service,
    gaps: found.gaps.slice(0, mostGaps).map(({ signInUid, from, to }) => ({
      ...(names.get(signInUid) ?? { name: '', role: '' }),
      from,
      to,
    })),
  }
}
