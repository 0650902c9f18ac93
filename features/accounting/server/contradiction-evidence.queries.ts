import { sql } from 'kysely'
import type { ContradictionKind } from '#features/board/kinds.ts'
import type { PlaceUid } from '#features/evacuation/server/tally.queries.ts'
import type { BuildingUid, FloorUid, PersonUid } from '#kernel/ids.ts'
import type { SafetyStatus } from '#kernel/vocabulary.ts'
import type { Db } from '#server/platform/db/db.ts'
import { type AccountedRow, type EventOf, wardenOf } from './account-list.queries.ts'

export interface PlaceRow extends Pick<AccountedRow, 'buildingName' | 'floorName' | 'floorUid' | 'byName' | 'byRole'> {
  uid: PlaceUid
  buildingUid: BuildingUid
  /** The status of a floor, and who set it. */
  statusName: string | null
}

export async function listPlaceRows(
  db: Db,
  { clientUid, eventUid }: EventOf,
  uids: readonly PlaceUid[],
): Promise<PlaceRow[]> {
  const { rows } = await sql<PlaceRow>`
    select wanted.uid, b.uid as building_uid, b.name as building_name, f.name as floor_name, f.uid as floor_uid, s.name as status_name, w.name as by_name, w.role as by_role
    from unnest(${uids}::uuid[]) as wanted (uid)
    left join floor f on f.client_uid = ${clientUid} and f.uid = wanted.uid
    join building b on b.client_uid = ${clientUid} and b.uid = coalesce(f.building_uid, wanted.uid)
    left join event_floor ef on ef.client_uid = ${clientUid} and ef.event_uid = ${eventUid} and ef.floor_uid = f.uid
    left join floor_status s on s.client_uid = ${clientUid} and s.uid = ef.floor_status_uid
    left join ${wardenOf(clientUid, eventUid, sql`ef.updated_by_person_uid`)} on true`.execute(db)
  return rows
}

export interface JournaledRow
  extends Pick<AccountedRow, 'grade' | 'byName' | 'byRole' | 'floorName' | 'at' | 'ownPage' | 'ownCall'> {
  personUid: PersonUid
  said: SafetyStatus | 'refused'
}

/**
 * The newest entry of each person that the kind of contradiction is about and the person's row no longer tells: a refusal,
 * or the record that does not stand. An entry does not say whether its floor was named: it was where the person moved by
 * it, and always in two places.
 */
export async function listJournaled(
  db: Db,
  { clientUid, eventUid }: EventOf,
  wanted: readonly { kind: ContradictionKind; personUid: PersonUid; status: SafetyStatus }[],
): Promise<JournaledRow[]> {
  if (wanted.length === 0) return []
  const { rows } = await sql<JournaledRow>`
    select newest.subject_uid as person_uid, newest.said, w.name as by_name, w.role as by_role, newest.at, f.name as floor_name,
      newest.by_page as own_page, newest.by_call as own_call, case when newest.by_sms or newest.by_page then 'own' when newest.is_seen then 'seen' else 'told' end as grade
    from (
      select distinct on (j.subject_uid) j.subject_uid, j.actor_person_uid, q.said, (j.after->>'floor_uid')::uuid as floor_uid,
        coalesce(j.observed_at, j.recorded_at) as at, coalesce((j.after->>'by_sms')::boolean, false) as by_sms,
        coalesce((j.after->>'by_page')::boolean, false) as by_page, coalesce((j.after->>'by_call')::boolean, false) as by_call,
        q.kind = 'two_places' or j.after->>'floor_uid' is distinct from j.before->>'floor_uid' as is_seen
      from unnest(${wanted.map(({ kind }) => kind)}::text[], ${wanted.map(({ personUid }) => personUid)}::uuid[],
          ${wanted.map(({ kind, status }) => saidBy(kind, status))}::text[]) as q (kind, person_uid, said)
      join journal j on j.event_uid = ${eventUid} and j.client_uid = ${clientUid} and j.subject_uid = q.person_uid
        and case q.said when 'refused' then j.action = 'evacuee_refusal_set' and j.after->>'refused' = 'true'
          else j.action = 'evacuee_status_set' and j.after->>'status' = q.said end
      order by j.subject_uid, j.xid desc, j.position desc
    ) newest
    left join ${wardenOf(clientUid, eventUid, sql`newest.actor_person_uid`)} on true
    left join floor f on f.client_uid = ${clientUid} and f.uid = newest.floor_uid`.execute(db)
  return rows
}

/** Against a danger stands a "safe", against anything else a danger. */
const saidBy = (kind: ContradictionKind, status: SafetyStatus) => {
  if (kind === 'cleared_refusal') return 'refused'
  return status === 'danger' ? 'safe' : 'danger'
}

export interface KeptRow {
  reason: string
  state: string
  byName: string
  bySignInUid: string
  keptAt: Date
}

/** Keeps the contradiction in this state. The person who kept it in the same state before stays. */
export async function insertKept(
  db: Db,
  { clientUid, eventUid }: EventOf,
  k: { kind: ContradictionKind; subject: FloorUid | PersonUid; state: string; reason: string; signInUid: string },
): Promise<boolean> {
  const { numAffectedRows } = await sql`
    insert into contradiction_kept (client_uid, event_uid, kind, subject_uid, state, reason, by_sign_in_uid)
    values (${clientUid}, ${eventUid}, ${k.kind}, ${k.subject}, ${k.state}, ${k.reason}, ${k.signInUid})
    on conflict (client_uid, event_uid, kind, subject_uid) do update
      set state = excluded.state, reason = excluded.reason, by_sign_in_uid = excluded.by_sign_in_uid, kept_at = now()
      where contradiction_kept.state <> excluded.state`.execute(db)
  return numAffectedRows === 1n
}

export async function findKept(
  db: Db,
  { clientUid, eventUid }: EventOf,
  { kind, subject }: { kind: ContradictionKind; subject: FloorUid | PersonUid },
): Promise<KeptRow | undefined> {
  const { rows } = await sql<KeptRow>`
    select k.reason, k.state, k.by_sign_in_uid, k.kept_at, p.name as by_name
    from contradiction_kept k
    join warden_sign_in si on si.client_uid = k.client_uid and si.uid = k.by_sign_in_uid
    join person p on p.client_uid = si.client_uid and p.uid = si.person_uid
    where k.client_uid = ${clientUid} and k.event_uid = ${eventUid} and k.kind = ${kind} and k.subject_uid = ${subject}`.execute(
    db,
  )
  return rows[0]
}
