import { type RawBuilder, sql } from 'kysely'
import type { ClientUid, PersonUid } from '#kernel/ids.ts'
import type { Db, Tx } from '#server/platform/db/db.ts'

export interface OfPerson {
  personUid: PersonUid
  name: string
  enteredBy: string | null
  enteredAt: Date | null
}

/**
 * The latest entry that names an address of the person. An address that was left later has come by a command, which writes no
 * entry: then no one is named.
 */
export async function listEntered(
  tx: Tx,
  clientUid: ClientUid,
  isWithin: RawBuilder<boolean>,
  people: readonly PersonUid[],
): Promise<OfPerson[]> {
  const { rows } = await sql<OfPerson>`
    select p.uid as person_uid, p.first_name || ' ' || p.last_name as name, entered.at as entered_at,
      by.first_name || ' ' || by.last_name as entered_by
    from person p
    left join lateral (
      select j.actor_person_uid, j.recorded_at as at from journal j
      where j.client_uid = p.client_uid and j.subject_uid = p.uid and j.event_uid is null
        and j.action in ('person_added', 'person_changed') and j.after -> 'fields' ?| array['email', 'mobile', 'username']
      order by j.position desc limit 1) entered on coalesce(p.email, p.mobile) is not null and not exists (
        select from former_address x
        where x.client_uid = p.client_uid and x.person_uid = p.uid and x.left_at > entered.at)
    left join person by on by.client_uid = p.client_uid and by.uid = entered.actor_person_uid and by.erased_at is null
    where p.client_uid = ${clientUid} and p.uid = any (${people as PersonUid[]}::uuid[]) and ${isWithin}
    order by name, p.uid`.execute(tx)
  return rows
}

interface PasswordOf {
  uid: PersonUid
  isShown: boolean
  /** Null if no merge has brought it. */
  mergedAt: Date | null
  mergedBy: string | null
}

/** Passwords of these people that someone else may know: set by a link that an administrator had seen, or of a merged person. */
export async function listKnown(system: Db, clientUid: ClientUid, people: readonly PersonUid[]): Promise<PasswordOf[]> {
  const { rows } = await sql<PasswordOf>`
    select p.uid, coalesce(ac.password_hash = ac.shown_password_hash, false) as is_shown,
      case when ac.password_hash = ac.merged_password_hash then ac.merged_at end as merged_at,
      by.first_name || ' ' || by.last_name as merged_by
    from person p join account ac on ac.uid = p.account_uid
    left join person by on by.client_uid = p.client_uid and by.uid = ac.merged_by_person_uid
    where p.client_uid = ${clientUid} and p.uid = any (${people as PersonUid[]}::uuid[])
      and ac.password_hash in (ac.shown_password_hash, ac.merged_password_hash)`.execute(system)
  return rows
}
