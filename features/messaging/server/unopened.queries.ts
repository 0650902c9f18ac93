import { sql } from 'kysely'
import { insertTexts, phoneOf } from '#features/texts/server/queue.queries.ts'
import type { Tx } from '#server/platform/db/db.ts'
import { steadyNow } from '#server/platform/db/steady-clock.ts'
import { isHidden } from '#server/wardens/building-action.ts'

/** Seconds after which a message that no one has opened is texted. */
const unopenedSeconds = 60
/** Minutes after which it is not, because it would mislead. */
const tooLateMinutes = 15

/**
 * Queues a text for each message in the app that its warden, who is on duty, has not opened, and marks the message.
 * No one is on duty in an event that has ended. Any number of workers may run it at once: the mark decides. Leaves out
 * messages that are being opened. A text that a warden sent is not texted on, because two automatic responders would
 * answer each other. Returns an event's uid per text.
 */
export async function textUnopenedMessages(tx: Tx, most: number): Promise<string[]> {
  const { rows } = await sql<{ eventUid: string }>`
    with due as materialized (
      select m.client_uid, m.seq, si.person_uid, p.mobile
      from message m
      join client c on c.uid = m.client_uid and c.active and c.sms_allowed
      join warden_sign_in si on si.client_uid = m.client_uid and si.uid = m.recipient_sign_in_uid
        and si.on_duty and si.closed_at is null
      join warden_assignment a on a.client_uid = si.client_uid and a.uid = si.assignment_uid
      join warden_role r on r.client_uid = a.client_uid and r.uid = a.role_uid
      ${phoneOf('si')}
      where m.kind = 'warden' and m.direction = 'out' and m.read_at is null and m.texted_at is null
        and m.written_at <= ${steadyNow} - make_interval(secs => ${unopenedSeconds})
        and m.written_at > ${steadyNow} - make_interval(mins => ${tooLateMinutes})
        and p.mobile is not null and x.mobile is null
        and not exists (select from sms s where s.client_uid = m.client_uid and s.message_seq = m.seq) and not ${isHidden}
      order by m.written_at
      limit ${most}
      for update of m skip locked
    ), unopened as (
      update message m set texted_at = now()
      from due where m.client_uid = due.client_uid and m.seq = due.seq
      returning m.client_uid, m.event_uid, due.person_uid, m.recipient_sign_in_uid as sign_in_uid, m.seq as message_seq,
        due.mobile, m.text, m.created_at
    )
    ${insertTexts(
      {
        kind: 'message',
        body: sql`r.text`,
        writtenAt: sql`r.created_at`,
        brings: ['sign_in_uid', 'message_seq'],
      },
      sql`select *, null::text as obstacle from unopened`,
    )} returning event_uid`.execute(tx)
  return rows.map(({ eventUid }) => eventUid)
}
