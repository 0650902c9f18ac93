import { valuesOf } from '#features/directory/column-kinds.ts'
import { columns } from '#features/directory/columns.ts'
import { type UnaccountedRequest, unaccountedPage } from '#features/evacuation/server/event-people.service.ts'
import type { BuildingUid, EventUid, SiteUid } from '#kernel/ids.ts'
import type { Tx } from '#server/platform/db/db.ts'
import { Refusal } from '#server/platform/errors.ts'
import type { Actor } from '#server/wardens/actor.ts'
import { presentAction } from '#server/wardens/building-action.ts'
import type { EventSites, Unaccounted } from '../calls/events.ts'
import { type ActiveEvent, findActiveEvent, listEventTypes, type ManagedBuilding } from './event.queries.ts'
import { listReach } from './event-reach.service.ts'
import { findLiveSeen, type LiveSeen } from './made-live.queries.ts'

/** The data of the event management screen. */
export async function presentSites(tx: Tx, actor: Actor): Promise<EventSites> {
  const [rows, types, active] = [
    await listReach(tx, actor),
    await listEventTypes(tx),
    actor.assignment && (await findActiveEvent(tx, actor.assignment.siteUid)),
  ]
  const sites = Map.groupBy(rows, (row) => row.siteUid)
  return {
    data: {
      sites: [...sites].map(([id, buildings]) => ({
        id,
        name: buildings[0]?.siteName ?? '',
        buildings: buildings.map(presentBuilding),
      })),
      // what the call does not name stays here
      eventTypes: types.map(presentType),
      activeEvent: active
        ? {
            ...presentEvent(active),
            active: true,
            siteId: active.siteUid,
            eventType: active.eventTypeUid,
            live: presentLive(await findLiveSeen(tx, active.uid)),
            ...(active.change && { change: active.change }),
          }
        : null,
      sms_allowed: actor.smsAllowed,
    },
  }
}

/** Who is not accounted for in those buildings of the event that the caller manages. Throws `not_found`. */
export async function unaccounted(
  tx: Tx,
  actor: Actor,
  request: UnaccountedRequest & { eventUid: EventUid },
): Promise<Unaccounted> {
  const managed = (await listReach(tx, actor)).filter((row) => row.manageable && row.eventUid === request.eventUid)
  const [first] = managed
  if (!first?.eventUid) throw new Refusal('not_found')
  const { eventUid, eventName, eventKind } = first
  return {
    event: { id: eventUid, ...eventName, kind: eventKind },
    ...(await unaccountedPage(tx, { clientUid: actor.clientUid, eventUid, managed }, request)),
  }
}

const presentType = ({ uid, ...type }: Awaited<ReturnType<typeof listEventTypes>>[number]) => {
  const { action, where, ...values } = valuesOf(columns.eventTypes, type)
  return { id: uid, ...values, ...(action !== 'evacuate' && { action, ...(where && { where }) }) }
}

const presentLive = (live: LiveSeen | null) =>
  live && {
    from: live.liveFrom.toISOString(),
    seen: live.seen,
    wardens: live.wardens,
    not_seen: live.notSeen.slice(0, 200),
  }

const presentBuilding = (row: ManagedBuilding) => ({
  id: row.buildingUid,
  name: row.buildingName,
  event: row.eventUid ? { id: row.eventUid, ...row.eventName, kind: row.eventKind, eventType: row.eventTypeUid } : null,
  manageable: row.manageable,
  ...(row.eventUid &&
    presentAction({ action: row.action, where: row.actionWhere, from: row.actionFrom, before: row.actionBefore })),
})

export const presentEvent = ({ uid, name, kind }: Pick<ActiveEvent, 'uid' | 'name' | 'kind'>) => ({
  id: uid,
  ...name,
  kind,
})

/** The site of these buildings. Throws `not_found` if one is not the caller's, and 422 for buildings of two sites. */
export async function getManagedSite(tx: Tx, actor: Actor, buildingUids: readonly BuildingUid[]): Promise<SiteUid> {
  const reach = (await listReach(tx, actor)).filter(({ manageable }) => manageable)
  const wanted = reach.filter(({ buildingUid }) => buildingUids.includes(buildingUid))
  if (wanted.length < buildingUids.length) throw new Refusal('not_found')
  const sites = new Set(wanted.map(({ siteUid }) => siteUid))
  const [siteUid] = sites
  if (sites.size > 1 || !siteUid)
    throw new Refusal('invalid_request', 'Choose buildings of one site.', ['body/buildings'])
  return siteUid
}
