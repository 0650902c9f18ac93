import type { BuildingUid, ClientUid, EventUid, SignInUid, SiteUid } from '@evac/contract/ids.ts'
import type { Tx } from '../../platform/db/db.ts'
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
import { countBuildings, listTallyLines, setTalliesBack, type TallyLine } from './tally.queries.ts'

/** EVENT-51, AMB-105: adds everybody who must be accounted for in newly added buildings, and counts them by place. */
export async function takeInEvacuees(
  tx: Tx,
  eventUid: EventUid,
  buildingUids: readonly BuildingUid[],
  { isFirst }: { isFirst: boolean },
): Promise<void> {
  await snapshotEvacuees(tx, eventUid, buildingUids, { isFirst })
  await countBuildings(tx, eventUid, buildingUids)
}

/** AMB-105: adds today's visitors to the event that runs at the site. Call under `holdEventsOf`. */
export const takeInLateVisitors = (tx: Tx, clientUid: ClientUid, siteUid: SiteUid): Promise<LateVisitor[]> =>
  addLateVisitors(tx, clientUid, siteUid)

/** AMB-105: removes the event's wardens from its occupants. */
export const takeOutWardens = (tx: Tx, eventUid: EventUid): Promise<void> => dropWardensFromEvacuees(tx, eventUid)

/** Makes the wardens of these closed participations occupants. */
export const takeBackWardens = (tx: Tx, eventUid: EventUid, closedSignIns: readonly SignInUid[]): Promise<void> =>
  returnWardensToEvacuees(tx, eventUid, closedSignIns)

/** Locks the people of buildings. Call before the buildings are locked, as a record does. */
export const holdPeopleOf = (tx: Tx, eventUid: EventUid, buildingUids: readonly BuildingUid[]): Promise<void> =>
  lockEvacuees(tx, eventUid, buildingUids)

/** EVENT-61: removes the people of removed buildings from the event. */
export const takeOutBuildings = (tx: Tx, eventUid: EventUid, buildingUids: readonly BuildingUid[]): Promise<void> =>
  removeEvacuees(tx, eventUid, buildingUids)

/**
 * KIND-13: locks everybody of the event, lets the caller mark it as live, and sets people and counts back. Returns what the
 * caller's mark returned, with the counts of each place.
 */
export async function setBackEverybody<Mark extends { countsFrom: Date }>(
  tx: Tx,
  eventUid: EventUid,
  mark: () => Promise<Mark>,
): Promise<Mark & { tally: TallyLine[] }> {
  await lockAllEvacuees(tx, eventUid)
  const marked = await mark()
  await setEverybodyBack(tx, eventUid, marked.countsFrom)
  await setTalliesBack(tx, eventUid)
  return { ...marked, tally: await listTallyLines(tx, eventUid) }
}
