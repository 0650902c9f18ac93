import { sql } from 'kysely'
import type { Db } from '#server/platform/db/db.ts'
import { steadyNow } from '#server/platform/db/steady-clock.ts'
import { insertReaches, steadily } from './begin.queries.ts'

/** Minutes after which a message is texted no more, because it would mislead. */
const tooLateMinutes = 15

/**
 * Begins reaches about what any node has written: messages in the app to wardens on duty who have not opened them, and open offers of
 * floors. A message that a warden sent by text begins none, because two automatic responders would answer each other.
 */
export async function beginWhatArose(system: Db): Promise<void> {
  await sql`${insertReaches(
    'message',
    sql`
      select m.client_uid, m.event_uid, m.seq::text as about, si.person_uid, si.uid as sign_in_uid, m.written_at as began_at, m.created_at as asked_at
      from message m
      join warden_sign_in si on si.client_uid = m.client_uid and si.uid = m.recipient_sign_in_uid and si.on_duty and si.closed_at is null
      where m.kind = 'warden' and m.direction = 'out' and m.read_at is null and m.texted_at is null
        and m.written_at > ${steadyNow} - make_interval(mins => ${tooLateMinutes})
        and not exists (select from sms s where s.client_uid = m.client_uid and s.message_seq = m.seq)
        and not exists (select from reach k where k.client_uid = m.client_uid and k.event_uid = m.event_uid and k.class = 'message'
          and k.about = m.seq::text and k.person_uid = si.person_uid)`,
  )}`.execute(system)
  await sql`${insertReaches(
    'offer',
    sql`
      select o.client_uid, o.event_uid, o.uid::text as about, si.person_uid, si.uid as sign_in_uid,
        ${steadily(sql`o.offered_at`)} as began_at, o.offered_at as asked_at
      from event e
      join floor_offer o on o.client_uid = e.client_uid and o.event_uid = e.uid and o.answered_at is null and o.ends_at > clock_timestamp()
      join warden_sign_in si on si.client_uid = o.client_uid and si.uid = o.to_sign_in_uid
      where e.ended_at is null`,
  )}`.execute(system)
}
