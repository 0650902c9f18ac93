import { sql } from 'kysely'
import type { ClientUid, PersonUid } from '#kernel/ids.ts'
import type { Db, Tx } from '#server/platform/db/db.ts'
import { recordset } from '#server/platform/db/recordset.ts'

export interface NewInvitation {
  uid: string
  clientUid: ClientUid
  personUid: PersonUid
  tokenHash: Buffer
  /** Null if the operator or the set-up invites. */
  invitedByPersonUid: PersonUid | null
  expiresAt: Date
}

/** A newer invitation voids the older ones of the person. */
export async function replaceInvitations(tx: Tx, invitation: NewInvitation): Promise<void> {
  await voidInvitations(tx, invitation)
  await tx.insertInto('invitation').values(invitation).execute()
}

/** The open invitations of a person open nothing any more. */
export async function voidInvitations(
  tx: Tx,
  { clientUid, personUid }: { clientUid: ClientUid; personUid: PersonUid },
) {
  await tx
    .updateTable('invitation')
    .set({ voidedAt: sql`now()` })
    .where('clientUid', '=', clientUid)
    .where('personUid', '=', personUid)
    .where('usedAt', 'is', null)
    .where('voidedAt', 'is', null)
    .execute()
}

/** Voids the open invitations of these people that were made from the moment on. Returns whose. */
export async function voidSince(
  tx: Tx,
  clientUid: ClientUid,
  people: readonly PersonUid[],
  since: Date,
): Promise<PersonUid[]> {
  const { rows } = await sql<{ personUid: PersonUid }>`
    update invitation set voided_at = now()
    where client_uid = ${clientUid} and person_uid = any (${people as PersonUid[]}::uuid[])
      and used_at is null and voided_at is null and created_at >= ${since}
    returning person_uid`.execute(tx)
  return rows.map(({ personUid }) => personUid)
}

/**
 * Voids the open invitations of people whose account gets another e-mail. An invitation has gone to the e-mail of its day,
 * so call before these accounts get the new one.
 */
export async function voidMisdirected(
  tx: Tx,
  clientUid: string,
  accounts: readonly { uid: string; email: string | null }[],
): Promise<void> {
  await sql`
    update invitation t set voided_at = now()
    from ${recordset(accounts, { uid: 'uuid', email: 'text' })}
    join account a on a.uid = i.uid and lower(a.email) is distinct from lower(i.email)
    join person p on p.account_uid = a.uid
    where t.client_uid = ${clientUid} and p.client_uid = t.client_uid and p.uid = t.person_uid
      and t.used_at is null and t.voided_at is null`.execute(tx)
}

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
  /** Null if the person is no administrator. */
  reach: 'organisation' | 'site' | 'group' | null
}

/**
 * The invitation of a token while it may be used: person, account and organisation are active, the account has no
 * password yet, and there is still something to sign in for.
 */
export async function findInvitation(db: Db, tokenHash: Buffer, now: Date): Promise<OpenInvitation | undefined> {
  const { rows } = await sql<OpenInvitation>`
    select i.uid, i.client_uid, i.person_uid, ac.uid as account_uid, c.name as organisation, p.first_name, p.last_name,
      ac.email, ac.username, g.reach
    from invitation i
    join client c on c.uid = i.client_uid and c.active
    join person p on p.client_uid = i.client_uid and p.uid = i.person_uid and p.active
    join account ac on ac.uid = p.account_uid and ac.active and ac.password_hash is null
    left join administrator g on g.client_uid = p.client_uid and g.person_uid = p.uid and g.revoked_at is null
    where i.token_hash = ${tokenHash} and i.used_at is null and i.voided_at is null and i.expires_at > ${now}`.execute(
    db,
  )
  return rows[0]
}

/** Uses the invitation. One of several requests at once succeeds. */
export async function useInvitation(tx: Tx, { clientUid, uid }: OpenInvitation, now: Date): Promise<boolean> {
  const used = await tx
    .updateTable('invitation')
    .set({ usedAt: now })
    .where('clientUid', '=', clientUid)
    .where('uid', '=', uid)
    .where('usedAt', 'is', null)
    .where('voidedAt', 'is', null)
    .executeTakeFirst()
  return used.numUpdatedRows === 1n
}

/** Sets the first password. False if the account has got one meanwhile: an invitation replaces none. */
export async function setFirstPassword(tx: Tx, accountUid: string, passwordHash: string): Promise<boolean> {
  const set = await tx
    .updateTable('account')
    .set({ passwordHash, updatedAt: sql`now()` })
    .where('uid', '=', accountUid)
    .where('passwordHash', 'is', null)
    .where('active', '=', true)
    .executeTakeFirst()
  return set.numUpdatedRows === 1n
}
