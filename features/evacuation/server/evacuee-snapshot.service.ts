import type { BuildingUid, ClientUid, EventUid, SignInUid, SiteUid } from '#kernel/ids.ts'
import type { Tx } from '#server/platform/db/db.ts'
import {
  addLateVisitors,
  dropWardensFromEvacuees,
  type LateVisitor,
  lockAllEvacuees,
  lockEvacuees,
  removeEvacuees,
  returnWardensToEvacuees,
  setEverybodyBack,
  snapshotEvacuees,
} from './evacuee-snapshot.queries.ts'
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

/** Adds everybody who must be accounted for in newly added buildings, and counts them by place. */
export async function takeInEvacuees(
  tx: Tx,
  eventUid: EventUid,
  buildingUids: readonly BuildingUid[],
  { isFirst }: { isFirst: boolean },
): Promise<TallyLine[]> {
  await snapshotEvacuees(tx, eventUid, buildingUids, { isFirst })
  return countBuildings(tx, eventUid, buildingUids)
}

/** Adds today's visitors to the event that runs at the site. Call under `holdEventsOf`. */
export const takeInLateVisitors = (tx: Tx, clientUid: ClientUid, siteUid: SiteUid): Promise<LateVisitor[]> =>
  addLateVisitors(tx, clientUid, siteUid)

/** Removes the event's wardens from its occupants. */
export const takeOutWardens = (tx: Tx, eventUid: EventUid): Promise<TallyLine[]> =>
  dropWardensFromEvacuees(tx, eventUid)

/** Makes the wardens of these closed participations occupants. */
export const takeBackWardens = (
  tx: Tx,
  eventUid: EventUid,
  closedSignIns: readonly SignInUid[],
): Promise<TallyLine[]> => returnWardensToEvacuees(tx, eventUid, closedSignIns)

/** Locks the people of buildings. Call before the buildings are locked, as a record does. */
export const holdPeopleOf = (tx: Tx, eventUid: EventUid, buildingUids: readonly BuildingUid[]): Promise<void> =>
  lockEvacuees(tx, eventUid, buildingUids)

/** Removes the people of removed buildings from the event. */
export const takeOutBuildings = (
  tx: Tx,
  eventUid: EventUid,
  buildingUids: readonly BuildingUid[],
): Promise<TallyLine[]> => removeEvacuees(tx, eventUid, buildingUids)

/**
 * Locks everybody of the event, lets the caller mark it as live, and sets people and counts back. Returns what the
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
