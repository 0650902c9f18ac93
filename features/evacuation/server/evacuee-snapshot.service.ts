import type { BuildingUid, EventUid } from '#kernel/ids.ts'
import type { Tx } from '#server/platform/db/db.ts'
import { lockAllEvacuees, setEverybodyBack, snapshotEvacuees } from './evacuee-snapshot.queries.ts'
import { countBuildings, setTalliesBack, type TallyLine } from './tally.queries.ts'

/** The field `tally` of an entry with these changes: one line for each place whose counts differ. Absent without any. */
export function toldTally(...lines: readonly TallyLine[]): { tally?: TallyLine[] } {
  const ofPlace = Map.groupBy(lines, ([place]) => place)
  const tally = [...ofPlace].map(([place, some]): TallyLine => {
    const sum = (column: 1 | 2 | 3 | 4) => some.reduce((all, line) => all + line[column], 0)
    return [place, sum(1), sum(2), sum(3), sum(4)]
  })
  const moved = tally.filter(([, ...counts]) => counts.some((count) => count !== 0))
  return moved.length > 0 ? { tally: moved } : {}
}

/** Adds everyone who must be accounted for in newly added buildings, and counts them by place. */
export async function takeInEvacuees(
  tx: Tx,
  eventUid: EventUid,
  buildingUids: readonly BuildingUid[],
  { isFirst }: { isFirst: boolean },
): Promise<TallyLine[]> {
  await snapshotEvacuees(tx, eventUid, buildingUids, { isFirst })
  return countBuildings(tx, eventUid, buildingUids)
}

/**
 * Locks everyone in the event, lets the caller mark it as live, and sets people and counts back. Returns what the
 * caller's mark returned, with by how much each place changed.
 */
export async function setBackEverybody<Mark extends { countsFrom: Date }>(
  tx: Tx,
  eventUid: EventUid,
  mark: () => Promise<Mark>,
): Promise<Mark & { tally: TallyLine[] }> {
  await lockAllEvacuees(tx, eventUid)
  const marked = await mark()
  await setEverybodyBack(tx, eventUid, marked.countsFrom)
  return { ...marked, tally: await setTalliesBack(tx, eventUid) }
}
