import { sql } from 'kysely'
import type { ClientUid, PersonUid } from '#kernel/ids.ts'
import type { Tx } from '#server/platform/db/db.ts'
import { recordset } from '#server/platform/db/recordset.ts'
import { marked } from './marked.ts'

export interface NewInvitation {
  uid: string
  clientUid: ClientUid
  personUid: PersonUid
  tokenHash: Buffer
  /** Null if the operator or the set-up invites. */
  invitedByPersonUid: PersonUid | null
  expiresAt: Date
  /** Who invites has seen the link. */
  shown: boolean
}

/** A newer invitation voids the older ones of the person, and is the link that an administrator was owed. */
export async function replaceInvitations(tx: Tx, invitation: NewInvitation): Promise<void> {
  await voidInvitations(tx, invitation)
  const { uid, clientUid, personUid, tokenHash, invitedByPersonUid, expiresAt, shown } = invitation
  await sql`${marked}
    insert into invitation (client_uid, uid, person_uid, token_hash, invited_by_person_uid, expires_at, shown)
    values (${clientUid}, ${uid}, ${personUid}, ${tokenHash}, ${invitedByPersonUid}, ${expiresAt},
      ${shown})`.execute(tx)
  await sql`${marked}
    update administrator set owed_link = false
    where client_uid = ${clientUid} and person_uid = ${personUid} and owed_link`.execute(tx)
}

/** The open invitations of a person open nothing any more. */
export async function voidInvitations(
  tx: Tx,
  { clientUid, personUid }: { clientUid: ClientUid; personUid: PersonUid },
): Promise<void> {
  await sql`${marked}
    update invitation set voided_at = now()
    where client_uid = ${clientUid} and person_uid = ${personUid} and used_at is null and voided_at is null`.execute(tx)
}

/** Voids the open invitations of these people that were made from the moment on. Returns whose. */
export async function voidSince(
  tx: Tx,
  clientUid: ClientUid,
  people: readonly PersonUid[],
  since: Date,
): Promise<PersonUid[]> {
  const { rows } = await sql<{ personUid: PersonUid }>`${marked}
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
  await sql`${marked}
    update invitation t set voided_at = now()
    from ${recordset(accounts, { uid: 'uuid', email: 'text' })}
    join account a on a.uid = i.uid and lower(a.email) is distinct from lower(i.email)
    join person p on p.account_uid = a.uid
    where t.client_uid = ${clientUid} and p.client_uid = t.client_uid and p.uid = t.person_uid
      and t.used_at is null and t.voided_at is null`.execute(tx)
}

/** Uses the invitation. One of several requests at once succeeds. */
export async function useInvitation(
  tx: Tx,
  { clientUid, uid }: Pick<NewInvitation, 'clientUid' | 'uid'>,
  now: Date,
): Promise<boolean> {
  const { numAffectedRows } = await sql`${marked}
    update invitation set used_at = ${now}
    where client_uid = ${clientUid} and uid = ${uid} and used_at is null and voided_at is null`.execute(tx)
  return numAffectedRows === 1n
}
