import { sql } from 'kysely'
import { floorStatusesOf } from '#kernel/action-words.ts'
import { type Action, statusActionOf } from '#kernel/actions.ts'
import type { AssignmentUid, BuildingUid, ClientUid, EventUid, PersonUid, SignInUid } from '#kernel/ids.ts'
import type { Db, Tx } from '#server/platform/db/db.ts'
import { steadyNow } from '#server/platform/db/steady-clock.ts'
import type { BuildingAction } from '#server/wardens/building-action.ts'
import { claimStands } from '#server/wardens/floor-coverage.ts'
import { areaHas, hasPlaceWhere } from '#server/wardens/warden-area.ts'

/** A building of an event whose people do something else than leave. */
export interface ActionRow extends BuildingAction {
  building: BuildingUid
  name: string
  from: Date
  before: Action | null
}

export interface Reader {
  clientUid: ClientUid
  eventUid: EventUid
  personUid: PersonUid
  signInUid: SignInUid
  assignmentUid: AssignmentUid
  isOfSite: boolean
}

/**
 * The buildings of the event that are not under evacuate, by name. `own`: the reader's phone may be there: the building is of
 * their area, which of a site warden is every building, or of a floor that they hold or work on.
 */
export async function listActions(db: Db, reader: Reader): Promise<(ActionRow & { own: boolean })[]> {
  const { clientUid, eventUid, personUid, signInUid, assignmentUid, isOfSite } = reader
  const { rows } = await sql<ActionRow & { own: boolean }>`
    select eb.building_uid as building, b.name, eb.action, eb.action_where as "where",
      coalesce(eb.action_from, eb.added_at) as "from", eb.action_before as "before",
      ${isOfSite} or ${areaHas(sql`l.building_uid = eb.building_uid`, { clientUid, uid: assignmentUid })}
        or exists (select from floor_claim fc
          join warden_sign_in si on si.client_uid = fc.client_uid and si.uid = fc.sign_in_uid
          where fc.client_uid = ${clientUid} and fc.sign_in_uid = ${signInUid} and fc.building_uid = eb.building_uid
            and ${claimStands})
        or exists (select from person p join floor f on f.client_uid = p.client_uid and f.uid = p.primary_floor_uid
          where p.client_uid = ${clientUid} and p.uid = ${personUid} and f.building_uid = eb.building_uid) as own
    from event_building eb
    join building b on b.client_uid = eb.client_uid and b.uid = eb.building_uid
    where eb.client_uid = ${clientUid} and eb.event_uid = ${eventUid} and eb.active and eb.action <> 'evacuate'
    order by b.name, b.uid`.execute(db)
  return rows
}

/** Makes the floor statuses of an action that the organisation has none of. Returns those that it made. */
export async function ensureActionStatuses(tx: Tx, clientUid: ClientUid, action: Action): Promise<string[]> {
  const own = statusActionOf(action)
  if (!own) return []
  const statuses = floorStatusesOf[own].map((status, index) => ({ ...status, order: index + 1 }))
  const each = (field: keyof (typeof statuses)[number]) => statuses.map((status) => status[field])
  const { rows } = await sql<{ uid: string }>`
    insert into floor_status (client_uid, code, name, colour, display_order, means_clear, action)
    select ${clientUid}, upper(${action}) || '_' || made.display_order, made.name, made.colour, made.display_order, made.means_clear,
      ${action}
    from unnest(${each('name')}::text[], ${each('colour')}::text[], ${each('order')}::int[], ${each('meansClear')}::boolean[])
      as made (name, colour, display_order, means_clear)
    where not exists (select from floor_status s where s.client_uid = ${clientUid} and s.action = ${action})
    on conflict (client_uid, code) do nothing returning uid`.execute(tx)
  return rows.map(({ uid }) => uid)
}

/** The newest change of an action in the event. `name` and `action` are those of who made it and what it made. */
export interface NewestChange {
  change: string | null
  name: string | null
  action: Action
}

export async function findNewestChange(tx: Tx, eventUid: EventUid): Promise<NewestChange | undefined> {
  const { rows } = await sql<NewestChange>`
    select e.action_change_uid as change, p.name, eb.action
    from event e
    join event_building eb on eb.client_uid = e.client_uid and eb.event_uid = e.uid
    left join person p on p.client_uid = eb.client_uid and p.uid = eb.action_by_person_uid
    where e.uid = ${eventUid}
    order by eb.action_by_person_uid is null, eb.action_from desc nulls last limit 1`.execute(tx)
  return rows[0]
}

export interface ChangedBuilding {
  building: BuildingUid
  action: Action
}

export interface NewAction extends BuildingAction {
  eventUid: EventUid
  buildings: readonly BuildingUid[]
  personUid: PersonUid
}

/**
 * Gives the buildings their new action as a new change of the event. Returns the change, the steady time from which
 * observations count, and what each building did before. Call under the lock of the site.
 */
export async function markAction(
  tx: Tx,
  { eventUid, buildings, action, where, personUid }: NewAction,
): Promise<{ change: string; countsFrom: Date; from: Date; before: ChangedBuilding[] }> {
  const { rows: before } = await sql<ChangedBuilding>`
    select building_uid as building, action from event_building
    where event_uid = ${eventUid} and active and building_uid = any (${buildings}::uuid[])
    order by building_uid for no key update`.execute(tx)
  await sql`
    update event_building set action = ${action}, action_where = ${where}, action_from = now(), action_by_person_uid = ${personUid},
      -- a release that is pressed again still ends what the first one ended
      action_before = case when ${action} = 'release' then case when action = 'release' then action_before else action end end
    where event_uid = ${eventUid} and active and building_uid = any (${buildings}::uuid[])`.execute(tx)
  const { rows } = await sql<{ change: string; countsFrom: Date; from: Date }>`
    update event set action_change_uid = gen_random_uuid() where uid = ${eventUid}
    returning action_change_uid as change, now() as "from", ${steadyNow} as counts_from`.execute(tx)
  return { ...(rows[0] as { change: string; countsFrom: Date; from: Date }), before }
}

/**
 * Cancels what is still to be texted of the former action: to people of the buildings, and to wardens all of whose places in
 * the event are there. Texts that a worker has claimed are still sent. Returns the participations whose alert was cancelled: they
 * have not been called yet.
 */
export async function skipTextsOfAction(
  tx: Tx,
  eventUid: EventUid,
  buildings: readonly BuildingUid[],
): Promise<SignInUid[]> {
  await sql`
    update broadcast set finished_at = case when building_uids <@ ${buildings}::uuid[] then now() end,
      building_uids = array(select uid from unnest(building_uids) as uid where uid <> all (${buildings}::uuid[]))
    where event_uid = ${eventUid} and kind = 'event_message' and finished_at is null
      and building_uids && ${buildings}::uuid[]`.execute(tx)
  const { rows } = await sql<{ kind: string; signInUid: SignInUid | null }>`
    with other as (
      select building_uid from event_building
      where event_uid = ${eventUid} and active and building_uid <> all (${buildings}::uuid[])
    ), concerned as (
      select person_uid from evacuee where event_uid = ${eventUid} and active and building_uid = any (${buildings}::uuid[])
      union
      select si.person_uid from warden_sign_in si
      join warden_assignment a on a.client_uid = si.client_uid and a.uid = si.assignment_uid
      join warden_role r on r.client_uid = a.client_uid and r.uid = a.role_uid
      where si.event_uid = ${eventUid} and si.closed_at is null
        and ${hasPlaceWhere(areaHas(sql`l.building_uid = any (${buildings}::uuid[])`))}
        and (not exists (select from other)
          or not (${hasPlaceWhere(areaHas(sql`l.building_uid in (select building_uid from other)`))}))
    )
    update sms set status = 'skipped', reason = 'The action has changed.', changed_at = now()
    where event_uid = ${eventUid} and status = 'queued' and kind in ('event_message', 'warden_alert', 'instruction')
      and (claimed_until is null or claimed_until <= ${steadyNow})
      and person_uid in (select person_uid from concerned)
    returning kind, sign_in_uid`.execute(tx)
  return rows.flatMap(({ kind, signInUid }) => (kind === 'warden_alert' && signInUid ? [signInUid] : []))
}
