import { listPlacesPage } from '#features/evacuation/server/event-people.queries.ts'
import { eventPlaces, placesOf } from '#features/evacuation/server/event-places.service.ts'
import type { PlaceUid } from '#features/evacuation/server/tally.queries.ts'
import type { ClientUid, EvacueeUid, EventUid } from '#kernel/ids.ts'
import { pageSize } from '#kernel/limits.ts'
import type { CallInput } from '#kernel/route.ts'
import type { Tx } from '#server/platform/db/db.ts'
import { Refusal } from '#server/platform/errors.ts'
import type { DutyActor } from '#server/wardens/actor.ts'
import type { AccountedPage, AccountedPerson, listAccounted, Source } from '../calls.ts'
import { type AccountedRow, listAccountedRows, listPlannedInside, readSteadyNow } from './account-list.queries.ts'
import { listCaused } from './causes.queries.ts'

type Query = CallInput<typeof listAccounted>['query']

export const eventOf = ({ clientUid, event }: DutyActor): { clientUid: ClientUid; eventUid: EventUid } => ({
  clientUid,
  eventUid: event.uid,
})

/** 20 people by name, and after whom the next 20 begin. */
export async function accountedPage(tx: Tx, actor: DutyActor, query: Query): Promise<AccountedPage> {
  const places = await placesIn(tx, actor, query.floor ? [query.floor] : [])
  const uids = await listUids(tx, actor, { ...query, places })
  const shown = uids.slice(0, pageSize)
  const rows = await listAccountedRows(tx, eventOf(actor), shown)
  return {
    at: (await readSteadyNow(tx)).toISOString(),
    people: rows.map(presentAccounted),
    next: uids.length > pageSize ? (shown.at(-1) ?? null) : null,
  }
}

/** The places asked for, or all of the event. Throws `not_found` for a place that is not in it. */
export async function placesIn(tx: Tx, actor: DutyActor, asked: readonly PlaceUid[]): Promise<PlaceUid[]> {
  const { all } = await eventPlaces(tx, actor)
  const places = placesOf(all, all)
  if (asked.length === 0) return places
  const here = new Set<string>(places)
  if (!asked.every((uid) => here.has(uid))) throw new Refusal('not_found')
  return [...asked]
}

async function listUids(
  tx: Tx,
  actor: DutyActor,
  { list, floor, cause, places, ...query }: Query & { places: readonly PlaceUid[] },
): Promise<EvacueeUid[]> {
  const of = eventOf(actor)
  const after = query.after ?? null
  const limit = pageSize + 1
  if (list === 'peeps') return listPlannedInside(tx, of, { placeUid: floor ?? null, after, limit })
  if (list === 'unknown' && cause) {
    const placeUids = floor ? places : null
    return (await listCaused(tx, { ...of, causes: [cause], placeUids }, { after, limit })).map(({ uid }) => uid)
  }
  return listPlacesPage(tx, { ...of, placeUids: places }, list, { after, offset: 0, limit })
}

export const presentSource = (
  of: Pick<AccountedRow, 'grade' | 'byName' | 'byRole' | 'floorName' | 'at'> & { ownPage?: boolean; ownCall?: boolean },
): Source => {
  const isByWarden = of.grade === 'seen' || of.grade === 'told'
  return {
    grade: of.grade,
    by: isByWarden && of.byName ? { name: of.byName, role: of.byRole } : null,
    floor: of.grade === 'seen' ? of.floorName : null,
    at: of.grade === 'none' ? null : (of.at?.toISOString() ?? null),
    ...(of.grade === 'own' && { own: of.ownPage ? 'page' : of.ownCall ? 'call' : 'text' }),
  }
}

export const placeName = ({ buildingName, floorName }: Pick<AccountedRow, 'buildingName' | 'floorName'>) =>
  floorName ? `${buildingName} - ${floorName}` : buildingName

export const presentAccounted = (row: AccountedRow): AccountedPerson => ({
  id: row.personUid,
  evacuee_list_uid: row.uid,
  name: row.name,
  location: placeName(row),
  floor: row.floorUid,
  phone: row.mobile,
  status: row.status,
  on_floor: row.onFloor,
  refused: row.refused,
  visitor: row.visitor,
  plan: row.plan,
  unread: row.unread,
  sms_refused: row.smsRefused,
  source: presentSource(row),
  cause: row.cause,
  ...(row.said && { said: row.said }),
})
