import { sql } from 'kysely'
import type { ClientUid, PersonUid } from '#kernel/ids.ts'
import type { Db } from '#server/platform/db/db.ts'

export interface OpenInvitation {
  uid: string
  clientUid: ClientUid
  personUid: PersonUid
  accountUid: string
  organisation: string
  firstName: string
  lastName: string
  email: string | null
  username: string | null
  /** Of an administrator without a second factor, who needs the link to set one up. */
  passwordHash: string | null
  /** Null if the person is no administrator. */
  reach: 'organisation' | 'site' | 'group' | null
  /** The administrator who has seen the link. Null if it went to the person alone. */
  shownToPersonUid: PersonUid | null
}

/**
 * The invitation of a token while it may be used: person, account and organisation are active, the account has no
 * password yet or is an administrator's without a second factor, and there is still something to sign in for.
 */
export async function findInvitation(db: Db, tokenHash: Buffer, now: Date): Promise<OpenInvitation | undefined> {
  const { rows } = await sql<OpenInvitation>`
    select i.uid, i.client_uid, i.person_uid, ac.uid as account_uid, c.name as organisation, p.first_name, p.last_name,
      ac.email, ac.username, ac.password_hash, g.reach, case when i.shown then i.invited_by_person_uid end as shown_to_person_uid
    from invitation i
    join client c on c.uid = i.client_uid and c.active
    join person p on p.client_uid = i.client_uid and p.uid = i.person_uid and p.active
    join account ac on ac.uid = p.account_uid and ac.active
    left join administrator g on g.client_uid = p.client_uid and g.person_uid = p.uid and g.revoked_at is null
    where i.token_hash = ${tokenHash} and i.used_at is null and i.voided_at is null and i.expires_at > ${now}
      and (ac.password_hash is null
        or (g.uid is not null and not exists (select from second_factor f where f.account_uid = ac.uid)))`.execute(db)
  return rows[0]
}
