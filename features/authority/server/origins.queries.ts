import { type RawBuilder, sql } from 'kysely'
import type { ClientUid, PersonUid } from '#kernel/ids.ts'
import type { Db, Tx } from '#server/platform/db/db.ts'

interface Entered {
  field: 'email' | 'mobile' | 'username'
  by: string
  at: Date
}

interface OfPerson {
  personUid: PersonUid
  name: string
  entered: Entered[]
}

/**
 * Of each address of the person the latest entry that names it, whoever made it: by the form, an upload or a merge. An email that
 * was left later has come by a command, which writes no entry: then no one is named. Whether there is a user name, the caller knows.
 */
export async function listEntered(
  tx: Tx,
  clientUid: ClientUid,
  isWithin: RawBuilder<boolean>,
  people: readonly PersonUid[],
): Promise<OfPerson[]> {
  const { rows } = await sql<Omit<OfPerson, 'entered'> & { entered: (Omit<Entered, 'at'> & { at: string })[] }>`
    select p.uid as person_uid, p.name, coalesce(all_entered.of, '[]') as entered
    from person p
    left join lateral (
      select json_agg(json_build_object('field', field, 'at', j.recorded_at, 'by', by.name)
        order by j.recorded_at) as of
      from unnest(array['email', 'mobile', 'username'], array[p.email, p.mobile, '?']) as address (field, value)
      cross join lateral (
        select actor_person_uid, recorded_at from journal
        where client_uid = p.client_uid and subject_uid = p.uid and event_uid is null
          and action in ('person_added', 'person_changed', 'person_reactivated', 'person_merged')
          and after -> 'fields' ? field
        order by position desc limit 1) j
      join person by on by.client_uid = p.client_uid and by.uid = j.actor_person_uid and by.erased_at is null
      where value is not null and not (field = 'email' and exists (
        select from former_address x
        where x.client_uid = p.client_uid and x.person_uid = p.uid and x.left_at > j.recorded_at))) all_entered on true
    where p.client_uid = ${clientUid} and p.uid = any (${people as PersonUid[]}::uuid[]) and ${isWithin}
    order by name, p.uid`.execute(tx)
  return rows.map(({ entered, ...of }) => ({
    ...of,
    entered: entered.map((one) => ({ ...one, at: new Date(one.at) })),
  }))
}

interface SignInOf {
  uid: PersonUid
  hasUsername: boolean
  /** The password was set by a link that an administrator had seen. */
  isShown: boolean
  /** Since when it is that of a merged person. Null if it is not. */
  mergedAt: Date | null
  mergedBy: string | null
}

/** Of those of these people who have an account: a user name, and a password that someone else may know. */
export async function listSignIns(system: Db, clientUid: ClientUid, people: readonly PersonUid[]): Promise<SignInOf[]> {
  const { rows } = await sql<SignInOf>`
    select p.uid, ac.username is not null as has_username,
      coalesce(ac.password_hash = ac.shown_password_hash, false) as is_shown,
      case when ac.password_hash = ac.merged_password_hash then ac.merged_at end as merged_at,
      by.name as merged_by
    from person p join account ac on ac.uid = p.account_uid
    left join person by on by.client_uid = p.client_uid and by.uid = ac.merged_by_person_uid
    where p.client_uid = ${clientUid} and p.uid = any (${people as PersonUid[]}::uuid[])`.execute(system)
  return rows
}
