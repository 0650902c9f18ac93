import { type RawBuilder, sql } from 'kysely'
import type { PersonUid, SignInUid, SiteUid } from '#kernel/ids.ts'
import type { EventKind } from '#kernel/vocabulary.ts'
import type { Tx } from '#server/platform/db/db.ts'
import { began, type Of } from './count/facts.queries.ts'

const journalOf = ({ clientUid, eventUid }: Of) => sql`j.client_uid = ${clientUid} and j.event_uid = ${eventUid}`

interface Ended {
  kind: EventKind
  announced: boolean | null
  type: string
  siteUid: SiteUid
  siteName: string
  timezone: string
  message: string
  broadcast: boolean
  alert: boolean
  smsAllowed: boolean
  startedAt: Date
  endedAt: Date
  liveFrom: Date | null
  seconds: number
  startedBy: Named
  endedBy: Named
  liveBy: Named
}

/** Someone by participation and person, with the name and role of now. Null: no one is known. */
export interface Named {
  signIn: SignInUid | null
  person: PersonUid | null
  name: string | null
  role: string | null
}
const named = (signIn: RawBuilder<unknown>, person: RawBuilder<unknown>, name: RawBuilder<unknown>, role = sql`null`) =>
  sql<Named>`json_build_object('signIn', ${signIn}, 'person', ${person}, 'name', ${name}, 'role', ${role})`

/** When the entry of this action was recorded. Null: there is none. */
const recordedAt = (action: string) => sql<Date>`(select j.recorded_at from journal j
      where j.client_uid = e.client_uid and j.event_uid = e.uid and j.action = ${action} order by j.xid, j.position limit 1)`

/** What the event itself says, with its times as the journal has them. */
export async function getEnded(tx: Tx, { clientUid, eventUid }: Of): Promise<Ended> {
  const { rows } = await sql<Ended>`
    select e.kind, e.announced, et.type, e.site_uid, st.name as site_name, st.timezone, e.message, e.broadcast, e.alert,
      c.sms_allowed, began.at as started_at, over_.at as ended_at, ${recordedAt('drill_made_live')} as live_from,
      extract(epoch from over_.at - began.at)::float8 as seconds,
      ${named(sql`started.uid`, sql`null`, sql`started.name`, sql`started.role`)} as started_by,
      ${named(sql`ended.uid`, sql`ender.uid`, sql`coalesce(ended.name, ender.name)`, sql`ended.role`)} as ended_by,
      ${named(sql`null`, sql`liver.uid`, sql`liver.name`)} as live_by
    from ${began({ clientUid, eventUid })} began
    join event e on true
    cross join lateral (select coalesce(${recordedAt('event_ended')}, e.ended_at) as at) over_
    join client c on c.uid = e.client_uid
    join site st on st.client_uid = e.client_uid and st.uid = e.site_uid
    join event_type et on et.client_uid = e.client_uid and et.uid = e.event_type_uid
    left join ${participants} started on started.client_uid = e.client_uid and started.uid = e.started_by_sign_in_uid
    left join ${participants} ended on ended.client_uid = e.client_uid and ended.uid = e.ended_by_sign_in_uid
    left join person ender on ender.client_uid = e.client_uid and ender.uid = e.ended_by_person_uid
    left join person liver on liver.client_uid = e.client_uid and liver.uid = e.live_by_person_uid
    where e.client_uid = ${clientUid} and e.uid = ${eventUid}`.execute(tx)
  const [ended] = rows
  if (!ended) throw new Error(`no event ${eventUid}`)
  return ended
}

/** Participations with the name and the role of their wardens. A from-item. */
export const participants = sql`(
    select si.client_uid, si.uid, p.name, r.name as role, r.uid as role_uid
    from warden_sign_in si
    join person p on p.client_uid = si.client_uid and p.uid = si.person_uid
    join warden_assignment a on a.client_uid = si.client_uid and a.uid = si.assignment_uid
    join warden_role r on r.client_uid = a.client_uid and r.uid = a.role_uid
  )`

interface DecisionRow {
  id: string
  at: Date
  seconds: number
  action: string
  by: Named
  words: string
}

/** What someone decided, with the words that went out. */
export async function listDecisions(tx: Tx, of: Of): Promise<DecisionRow[]> {
  const { rows } = await sql<DecisionRow>`
    select j.xid::text || '.' || j.position as id, j.recorded_at as at, extract(epoch from j.recorded_at - began.at)::float8 as seconds, j.action,
      ${named(sql`j.actor_sign_in_uid`, sql`p.uid`, sql`p.name`, sql`by.role`)} as by,
      coalesce(j.after ->> 'message', sent.text, '') as words
    from ${began(of)} began
    join journal j on ${journalOf(of)}
    left join person p on p.client_uid = j.client_uid and p.uid = j.actor_person_uid
    left join ${participants} by on by.client_uid = j.client_uid and by.uid = j.actor_sign_in_uid
    left join lateral (
      select text from message m where m.client_uid = j.client_uid and m.event_uid = j.event_uid
        and m.group_uid = (j.after ->> 'group_uid')::uuid limit 1
    ) sent on j.action = 'evacuee_group_messaged'
    where j.action in ('event_started', 'buildings_added', 'buildings_removed', 'drill_made_live', 'action_changed',
      'evacuee_group_messaged', 'event_ended')
    order by j.xid, j.position limit 500`.execute(tx)
  return rows
}
