import { type EventWords, readWords } from '#features/log/server/names/names-kept.service.ts'
import { type PackedPeople, readPeople } from '#features/log/server/people/people-named.service.ts'
import type { Tx } from '#server/platform/db/db.ts'
import type { Of } from './count/facts.queries.ts'
import type { TimelineRow } from './timeline.queries.ts'

/** What people, places, statuses and roles were called in an event, as its log has kept it. */
export interface Then {
  words: EventWords
  people: PackedPeople
}

/** For these rows, or for all rows of the event. */
export async function readThen(tx: Tx, of: Of, rows: readonly TimelineRow[] | 'all'): Promise<Then> {
  const whom =
    rows === 'all'
      ? 'everyone'
      : rows.flatMap(({ actorUid, actorSignInUid, subjectUid, isSubjectNamed }) => [
          ...[actorUid, actorSignInUid],
          isSubjectNamed ? subjectUid : null,
        ])
  return { words: await readWords(tx, of), people: await readPeople(tx, of, whom) }
}

/**
 * The row in the words of its event. An entry that is made beside the event says by whom itself. An event of an earlier version
 * has only the words of now. False where a name is not the one that was packed.
 */
export function toldThen<Row extends TimelineRow>(
  row: Row,
  { words, people }: Then,
): Row & { isNamedAsLogged: boolean } {
  const floor = row.floorUid === null ? undefined : words.floor(row.floorUid, row)
  const building = floor && words.building(floor.buildingUid, row)
  const packed = people.get(row.actorSignInUid ?? '') ?? people.get(row.actorUid ?? '')
  const actor = byOf(row) ?? packed
  const subject = row.isSubjectNamed ? people.get(row.subjectUid) : undefined
  return {
    ...row,
    place: floor && building ? `${building.name} - ${floor.name}` : row.place,
    subject: subject?.name ?? (row.isSubjectFloor ? floor?.name : undefined) ?? row.subject,
    buildings: row.buildings.map(({ uid, name }) => ({ uid, name: words.building(uid, row)?.name ?? name })),
    statusName: (row.statusUid === null ? undefined : words.status(row.statusUid, row)?.name) ?? row.statusName,
    actorName: actor?.name ?? row.actorName,
    actorRole: actor?.role ?? (row.roleUid === null ? undefined : words.role(row.roleUid, row)?.name) ?? row.actorRole,
    isNamedAsLogged: packed?.isAsLogged !== false && subject?.isAsLogged !== false,
  }
}

/** Null: it was erased. */
function byOf({ after }: TimelineRow): { name: string; role: string | null } | undefined {
  const by = after?.by
  if (by === null || typeof by !== 'object' || Array.isArray(by) || typeof by.name !== 'string') return undefined
  return { name: by.name, role: typeof by.role === 'string' ? by.role : null }
}
