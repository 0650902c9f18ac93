import { sql } from 'kysely'
import type { Db, Tx } from '#server/platform/db/db.ts'
import { steadyNow } from '#server/platform/db/steady-clock.ts'
import type { Handed } from './outgoing.ts'

/** Seconds for which a claimed mail belongs to its worker. Longer than the limits in `smtp.transport.ts`. */
const leaseSeconds = 45

export interface NewMail {
  kind:
    | 'password_reset'
    | 'password_changed'
    | 'invitation'
    | 'notice'
    | 'offer'
    | 'record'
    | 'action'
    | 'coverage'
    | 'reach'
  accountUid: string | null
  /** Null if there is no receiver. */
  toEmail: string | null
  subject: string
  body: string
  passwordResetUid: string | null
  /** Whose link stands for `{link}`. */
  invitationUid?: string | null
  /** The same for a notice about a plan. */
  planNoticeUid?: string | null
  validUntil: Date
  /** A second mail with the same key is not queued, whoever makes it. */
  onceKey?: string
}

/** Queues a mail, unless its key is there. A mail without receiver is stored as skipped, so that both take the same time. */
export async function insertMail(tx: Tx, mail: NewMail): Promise<string | undefined> {
  const queued = await tx
    .insertInto('mail')
    .values({ ...mail, status: mail.toEmail === null ? 'skipped' : 'queued' })
    .onConflict((conflict) => conflict.column('onceKey').where('onceKey', 'is not', null).doNothing())
    .returning('uid')
    .executeTakeFirst()
  return queued?.uid
}

export interface ClaimedMail {
  uid: string
  toEmail: string
  subject: string
  body: string
  passwordResetUid: string | null
  invitationUid: string | null
  planNoticeUid: string | null
  /** Of someone who is called: whose link to report in stands for `{link}`, or whose own page. */
  reportInLinkUid: string | null
  selfLinkUid: string | null
  attempts: number
  /** Why it must no longer be sent. Null if it must be sent. */
  over: 'too late' | 'newer link' | 'answered' | null
}

/** Claims the most urgent free mails, including expired ones. Each mail is in one batch only. */
export async function claimMails(system: Db, count: number): Promise<ClaimedMail[]> {
  const { rows } = await sql<ClaimedMail>`
    with due as (
      select m.uid,
        case when coalesce(r.voided_at, i.voided_at) is not null then 'newer link' when m.valid_until <= now() then 'too late'
          when one.state in ('answered', 'over') or one.asked_at > m.created_at or e.ended_at is not null then 'answered' end as over,
        (select s.link_uid from sms s where s.client_uid = one.client_uid and s.reach_uid = one.uid and s.link_uid is not null limit 1) as report_in_link_uid,
        case when one.class = 'ask' then (select l.uid from message q
          join self_link l on l.client_uid = q.client_uid and l.evacuee_uid = q.evacuee_uid and l.revoked_at is null
          where q.client_uid = one.client_uid and q.seq = case when one.class = 'ask' then one.about::bigint end) end as self_link_uid
      from mail m left join password_reset r on r.uid = m.password_reset_uid
        left join invitation i on i.uid = m.invitation_uid
        left join reach one on one.uid = m.reach_uid
        left join event e on e.client_uid = one.client_uid and e.uid = one.event_uid
      where m.status = 'queued' and (m.claimed_until is null or m.claimed_until <= ${steadyNow})
      order by m.valid_until
      limit ${count}
      for update of m skip locked
    )
    update mail set claimed_until = ${steadyNow} + make_interval(secs => ${leaseSeconds}), attempts = mail.attempts + 1
    from due where mail.uid = due.uid
    returning mail.uid, mail.to_email, mail.subject, mail.body, mail.password_reset_uid, mail.invitation_uid, mail.plan_notice_uid,
      due.report_in_link_uid, due.self_link_uid, mail.attempts, due.over`.execute(system)
  return rows
}

/** Stores the outcome of a claimed mail. */
export interface MailOutcome extends Omit<Handed, 'status'> {
  uid: string
  status: Handed['status'] | 'expired' | 'skipped'
}

export async function recordMailOutcomes(system: Db, outcomes: readonly MailOutcome[]): Promise<void> {
  await sql`
    update mail set claimed_until = ${steadyNow} + make_interval(secs => o.retry_seconds), status = o.status,
      reason = o.reason, changed_at = now()
    from unnest(${outcomes.map((o) => o.uid)}::uuid[], ${outcomes.map((o) => o.status)}::text[],
      ${outcomes.map((o) => o.reason)}::text[], ${outcomes.map((o) => o.retrySeconds)}::int[])
      as o (uid, status, reason, retry_seconds)
    where mail.uid = o.uid and mail.status = 'queued'`.execute(system)
}
