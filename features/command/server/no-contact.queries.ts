import { sql } from 'kysely'
import { beginCommands } from '#features/reach/server/begin.queries.ts'
import { insertTexts, obstacle, phoneOf } from '#features/texts/server/queue.queries.ts'
import type { ClientUid, CommandTurnUid, EventUid } from '#kernel/ids.ts'
import type { Tx } from '#server/platform/db/db.ts'

export interface HeardOrNot {
  clientUid: ClientUid
  uid: CommandTurnUid
  eventUid: EventUid
  /** The leader is on duty and not heard. */
  isSilent: boolean
}

/**
 * Marks turns of running events whose leader is not heard or not on duty, takes the mark back from those
 * who are heard again, and journals both. A sign of life is contact of the phone, or an entry of the journal; the journal
 * is searched only without contact. Any number of workers may run it at once: the mark decides. Returns what it marked.
 */
export async function markSilence(tx: Tx): Promise<HeardOrNot[]> {
  const { rows } = await sql<HeardOrNot>`
    with turn as materialized (
      select t.client_uid, t.uid, t.event_uid, t.silent_at, si.uid as sign_in_uid, c.command_minutes,
        coalesce(si.on_duty and si.closed_at is null, false) as is_leading,
        greatest(t.began_at, si.off_duty_at, si.closed_at) as left_at,
        greatest(t.began_at, si.on_duty_at, k.seen_at) as contact_at
      from event e
      join command_turn t on t.client_uid = e.client_uid and t.event_uid = e.uid and t.ended_at is null
      join client c on c.uid = e.client_uid and c.active
      left join warden_sign_in si on si.client_uid = t.client_uid and si.uid = t.sign_in_uid
      left join warden_contact k on k.client_uid = si.client_uid and k.sign_in_uid = si.uid
      where e.ended_at is null
    ), heard as (
      select turn.*, case when not is_leading then left_at
          when contact_at > clock_timestamp() - make_interval(mins => command_minutes) then contact_at
          else greatest(contact_at, (select j.recorded_at from journal j
            where j.event_uid = turn.event_uid and j.actor_sign_in_uid = turn.sign_in_uid
            order by j.xid desc, j.position desc limit 1)) end as heard_at
      from turn
    ), state as (
      select *, not is_leading or heard_at <= clock_timestamp() - make_interval(mins => command_minutes) as is_lost from heard
    ), marked as (
      update command_turn t set silent_at = case when s.is_lost then s.heard_at end
      from state s
      where t.client_uid = s.client_uid and t.uid = s.uid and t.ended_at is null
        and t.silent_at is not distinct from s.silent_at and (t.silent_at is not null) <> s.is_lost
      returning s.*
    ), journaled as (
      insert into journal (client_uid, action, subject_type, subject_uid, event_uid, after)
      select client_uid, case when is_lost then 'command_silent' else 'command_heard' end, 'event', event_uid, event_uid,
        jsonb_build_object('turn_uid', uid, 'sign_in_uid', sign_in_uid, 'on_duty', is_leading, 'heard_at', heard_at)
      from marked
    )
    select client_uid, uid, event_uid, is_lost and is_leading as is_silent from marked`.execute(tx)
  return rows
}

/** Asks the leaders of these turns by text, the first step of reaching them. */
export async function textSilent(tx: Tx, turns: readonly HeardOrNot[], appUrl: string): Promise<void> {
  const uids = turns.map(({ uid }) => uid)
  await beginCommands(tx, uids)
  await sql`${insertTexts(
    {
      kind: 'command',
      body: sql`'Are you still in command at ' || r.site || '? Open the app: ' || ${appUrl}::text`,
      brings: ['sign_in_uid', 'reach_uid'],
    },
    sql`
      select t.client_uid, t.event_uid, si.person_uid, si.uid as sign_in_uid, st.name as site, p.mobile, one.uid as reach_uid,
        ${obstacle(sql`c.sms_allowed`)} as obstacle
      from command_turn t
      join client c on c.uid = t.client_uid
      join event on event.client_uid = t.client_uid and event.uid = t.event_uid
      join site st on st.client_uid = event.client_uid and st.uid = event.site_uid
      join warden_sign_in si on si.client_uid = t.client_uid and si.uid = t.sign_in_uid
      left join reach one on one.client_uid = t.client_uid and one.event_uid = t.event_uid and one.class = 'command'
        and one.about = t.uid::text and one.person_uid = si.person_uid
      ${phoneOf('si')}
      where t.uid = any (${uids}::uuid[])`,
  )}`.execute(tx)
}
