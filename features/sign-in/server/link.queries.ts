import { sql } from 'kysely'
import { prepared, type Tx } from '#server/platform/db/db.ts'

export async function voidMobileTokens(tx: Tx, phone: string, now: Date): Promise<void> {
  await tx
    .updateTable('mobileToken')
    .set({ voidedAt: now })
    .where('phone', '=', phone)
    .where('expiresAt', '>', now)
    .where('voidedAt', 'is', null)
    .execute()
}

export interface NewMobileToken {
  uid: string
  accountUid: string
  phone: string
  tokenHash: Buffer
  expiresAt: Date
}

export async function insertMobileToken(tx: Tx, token: NewMobileToken): Promise<void> {
  await tx.insertInto('mobileToken').values(token).execute()
}

interface Redeemed {
  phone: string
  /** The unproved session that the link has opened before. */
  sessionUid: string | null
}

/**
 * Uses a token. Of several concurrent attempts one succeeds, as long as no session of the link is unproved. That attempt and
 * repeats with the same nonce get the number of the link. Without a nonce there is no repeat.
 */
export async function redeemMobileToken(
  tx: Tx,
  { tokenHash, nonceHash, now }: { tokenHash: Buffer; nonceHash: Buffer | null; now: Date },
): Promise<Redeemed | undefined> {
  const { rows } = await sql<Redeemed>`
    update mobile_token t set used_at = coalesce(t.used_at, ${now}), nonce_hash = ${nonceHash}
    where t.token_hash = ${tokenHash}
      and t.expires_at > ${now} and t.voided_at is null
      and (t.used_at is null or t.nonce_hash = ${nonceHash} or t.session_uid is not null)
    returning t.phone, t.session_uid`.execute(tx)
  return rows[0]
}

/** Binds the link to the session that it has opened, as long as that is unproved. */
export async function bindToken(
  tx: Tx,
  { tokenHash, accessHash, isProved }: { tokenHash: Buffer; accessHash: Buffer; isProved: boolean },
): Promise<void> {
  await sql`
    with opened as (
      update session set unproved = ${!isProved} where token_hash = ${accessHash} returning uid
    )
    update mobile_token set session_uid = case when not ${isProved} then opened.uid end
    from opened where mobile_token.token_hash = ${tokenHash}`.execute(tx)
}

/** A touch or a key: the link is used up, and the session has its whole length. False if it was proved, or has ended. */
export async function proveSession(tx: Tx, sessionUid: string, expiresAt: Date): Promise<boolean> {
  await sql`update mobile_token set session_uid = null where session_uid = ${sessionUid}`.execute(tx)
  const { numAffectedRows } = await sql`
    update session set unproved = false, expires_at = ${expiresAt}
    where uid = ${sessionUid} and unproved and revoked_at is null`.execute(tx)
  return numAffectedRows === 1n
}

export interface ReportInLink {
  clientUid: string
  signInUid: string
  /** Null if the person can no longer sign in. */
  accountUid: string | null
  /** True if the event has ended or the warden is no longer part of it. */
  concluded: boolean
  expired: boolean
}

/** Locks the participation until the transaction ends. The end of its event waits, and then ends the new session too. */
export async function lockReportInLink(tx: Tx, tokenHash: Buffer, now: Date): Promise<ReportInLink | undefined> {
  const { rows } = await sql<ReportInLink>`${prepared('lock_report_in_link')}
    select l.client_uid, l.sign_in_uid, a.uid as account_uid,
      si.closed_at is not null or e.ended_at is not null as concluded, l.expires_at <= ${now} as expired
    from report_in_link l
    join warden_sign_in si on si.client_uid = l.client_uid and si.uid = l.sign_in_uid
    join event e on e.client_uid = l.client_uid and e.uid = l.event_uid
    join person p on p.client_uid = si.client_uid and p.uid = si.person_uid
    left join account a on a.uid = p.account_uid and a.active
    where l.token_hash = ${tokenHash}
    for share of si`.execute(tx)
  return rows[0]
}
