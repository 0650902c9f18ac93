import type { EventUid } from '#kernel/ids.ts'
import type { Tx } from '#server/platform/db/db.ts'
import type { ArrivedLate } from '../../calls/records.ts'
import type { Reach } from '../record-access.service.ts'
import { listTimelineRows, type TimelineRow } from '../timeline.queries.ts'
import { wordOf } from '../timeline-lines.ts'
import { readThen, toldThen } from '../words-of-then.ts'
import { countLateRecords } from './late.queries.ts'

/** The timeline has all of them. */
const mostShown = 1_000

/**
 * What arrived after the end, in its order, within reach. People stand without names, and when the
 * event is deleted nothing but the number is left.
 */
export async function presentArrived(
  tx: Tx,
  reach: Reach,
  { eventUid, isWhole, isReduced }: { eventUid: EventUid; isWhole: boolean; isReduced: boolean },
): Promise<{ arrived_late: number; late_records: ArrivedLate[] }> {
  const arrived = await countLateRecords(tx, reach.clientUid, eventUid)
  if (arrived === 0 || isReduced) return { arrived_late: arrived, late_records: [] }
  const asked = { eventUid, isWhole, show: 'all', action: 'late_record', after: null, most: mostShown } as const
  const rows = (await listTimelineRows(tx, reach, asked)).slice(0, mostShown)
  const then = await readThen(tx, { clientUid: reach.clientUid, eventUid }, rows)
  return { arrived_late: arrived, late_records: rows.map((row) => present(toldThen(row, then))) }
}

function present(row: TimelineRow): ArrivedLate {
  const isFloor = row.after?.floor_status_uid !== undefined
  const person = row.place ? `A person on ${row.place}` : 'A person'
  return {
    id: row.position,
    is_person: !isFloor,
    about: isFloor ? (row.place ?? 'A floor') : person,
    what: whatOf(row),
    by: row.actorName,
    role: row.actorRole,
    seen_at: row.observedAt?.toISOString() ?? null,
    arrived_at: row.recordedAt.toISOString(),
  }
}

function whatOf({ after, statusName }: TimelineRow): string {
  if (after?.floor_status_uid) return statusName ?? 'A status that no longer exists'
  if (after?.refused === undefined) return wordOf(after)
  return after.refused === true ? 'Refuses to leave' : 'No longer refuses to leave'
}
