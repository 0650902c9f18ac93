import { sql } from 'kysely'
import type { ClientUid } from '#kernel/ids.ts'
import type { Db, Tx } from '#server/platform/db/db.ts'
import { spellingsOf } from './receipt-spellings.ts'
import type { TextKey } from './sms.queries.ts'

/** So long the exact id may still come, and so long other spellings are tried. Then the receipt is lost. */
const seconds = { exact: 5, tried: 60 }
const openHours = 72
const batch = 500

interface LostReceipt {
  gateway: string
  providerId: string
  state: string
  reason: string | null
  isOld: boolean
}

/**
 * Finds the parts of receipts whose id is spelled otherwise than in the provider's answer. A receipt counts only if exactly
 * one part of 72 hours fits that has no receipt. Returns the texts that may have changed, and how many receipts are given up.
 */
export function matchLostReceipts(system: Db): Promise<{ texts: TextKey[]; lost: number }> {
  return system.transaction().execute(async (trx) => {
    const tx = trx as Tx
    const texts: TextKey[] = []
    let lost = 0
    for (const receipt of await lockLost(tx)) {
      const text = await applyToOnlyPart(tx, receipt)
      if (text) texts.push(text)
      else if (receipt.isOld) lost += await giveUp(tx, receipt)
    }
    return { texts, lost }
  })
}

async function lockLost(tx: Tx): Promise<LostReceipt[]> {
  const { rows } = await sql<LostReceipt>`
    select gateway, provider_id, state, reason, noted_at < now() - make_interval(secs => ${seconds.tried}) as is_old
    from sms_part
    where sms_uid is null and alias_of is null and unmatched_at is null and state is not null
      and noted_at < now() - make_interval(secs => ${seconds.exact})
    order by noted_at limit ${batch} for update skip locked`.execute(tx)
  return rows
}

async function applyToOnlyPart(tx: Tx, { gateway, providerId, state, reason }: LostReceipt) {
  const { rows } = await sql<{ clientUid: ClientUid; uid: string }>`
    with fitting as (
      select provider_id from sms_part
      where gateway = ${gateway} and sms_uid is not null and state is null and noted_at > now() - make_interval(hours => ${openHours})
        and regexp_replace(lower(provider_id), '^(0x)?0*', '') = any (${spellingsOf(providerId)}::text[])
    ), part as (
      update sms_part p set state = ${state}, reason = ${reason}
      from fitting f where p.gateway = ${gateway} and p.provider_id = f.provider_id and p.state is null
        and (select count(*) from fitting) = 1
      returning p.provider_id, p.sms_client_uid, p.sms_uid
    ), noted as (
      update sms_part r set alias_of = part.provider_id from part
      where r.gateway = ${gateway} and r.provider_id = ${providerId}
    )
    select sms_client_uid as client_uid, sms_uid as uid from part`.execute(tx)
  return rows[0]
}

async function giveUp(tx: Tx, { gateway, providerId }: LostReceipt): Promise<number> {
  await sql`update sms_part set unmatched_at = now() where gateway = ${gateway} and provider_id = ${providerId}`.execute(
    tx,
  )
  return 1
}
