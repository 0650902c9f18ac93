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

/**
 * Uses a token. One of several concurrent attempts succeeds. That attempt and repeats with the same nonce get
 * the number of the link. Without a nonce there is no repeat.
 */
export async function redeemMobileToken(
  tx: Tx,
  { tokenHash, nonceHash, now }: { tokenHash: Buffer; nonceHash: Buffer | null; now: Date },
): Promise<string | undefined> {
  const { rows } = await sql<{ phone: string }>`
    update mobile_token t set used_at = coalesce(t.used_at, ${now}), nonce_hash = ${nonceHash}
    where t.token_hash = ${tokenHash}
      and t.expires_at > ${now} and t.voided_at is null
      and (t.used_at is null or t.nonce_hash = ${nonceHash})
    returning t.phone`.execute(tx)
  return rows[0]?.phone
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
