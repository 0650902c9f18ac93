import { type RawBuilder, sql } from 'kysely'
import type { Db } from '../../platform/db/db.ts'

/** A warden's phone since the last mark of this node. */
export interface Contact {
  signInUid: string
  /** How many seconds ago it was first and last in contact. */
  firstAgo: number
  lastAgo: number
}

const isOnDuty: RawBuilder<boolean> = sql`(si.on_duty and si.closed_at is null)`

/**
 * Marks wardens on duty as seen, and journals who was out of contact for more than 90 s before. Marks of several
 * nodes wait for each other in the order of the sign-ins, so that each gap is journaled once.
 */
export async function markContact(system: Db, contacts: readonly Contact[]): Promise<void> {
  const signIns = contacts.map(({ signInUid }) => signInUid)
  const asked = sql`unnest(${signIns}::uuid[], ${contacts.map(({ firstAgo }) => firstAgo)}::float8[],
    ${contacts.map(({ lastAgo }) => lastAgo)}::float8[]) as asked (sign_in_uid, first_ago, last_ago)`
  await system.transaction().execute(async (tx) => {
    // anyone who goes on duty is in contact
    await sql`
      insert into warden_contact (client_uid, sign_in_uid, seen_at)
      select si.client_uid, si.uid, si.on_duty_at from warden_sign_in si
      where si.uid = any (${signIns}::uuid[]) and ${isOnDuty}
      order by si.uid on conflict do nothing`.execute(tx)
    await sql`
      with known as (
        select c.client_uid, c.sign_in_uid, si.event_uid, greatest(c.seen_at, si.on_duty_at) as until,
          clock_timestamp() - make_interval(secs => asked.first_ago) as first_at,
          clock_timestamp() - make_interval(secs => asked.last_ago) as last_at
        from ${asked}
        join warden_sign_in si on si.uid = asked.sign_in_uid and ${isOnDuty}
        join warden_contact c on c.client_uid = si.client_uid and c.sign_in_uid = si.uid
        order by c.sign_in_uid for update of c
      ), marked as (
        update warden_contact c set seen_at = greatest(c.seen_at, k.last_at)
        from known k where c.client_uid = k.client_uid and c.sign_in_uid = k.sign_in_uid
      )
      insert into journal (client_uid, actor_sign_in_uid, action, subject_type, subject_uid, event_uid, before, after)
      select client_uid, sign_in_uid, 'contact_regained', 'sign_in', sign_in_uid, event_uid,
        jsonb_build_object('seen_at', until), jsonb_build_object('seen_at', first_at)
      from known where first_at > until + interval '90 seconds'`.execute(tx)
  })
}
