import { type RawBuilder, sql } from 'kysely'
import type { ClientUid } from '#kernel/ids.ts'
import type { Db } from '#server/platform/db/db.ts'
import type { TextKey } from './sms.queries.ts'
import type { Handover } from './sms-gateway.ts'

/** Stores the provider's ids of accepted parts. Keeps a receipt that came first. */
export async function insertParts(system: Db, taken: readonly (TextKey & { handover: Handover })[]): Promise<void> {
  const parts = taken
    .flatMap(({ clientUid, uid, handover: { gateway, providerIds } }) =>
      providerIds.map((id) => ({ clientUid, uid, gateway, id, handover: providerIds[0], of: providerIds.length })),
    )
    .sort(inKeyOrder)
  if (parts.length === 0) return
  await sql`
    insert into sms_part as p (gateway, provider_id, sms_client_uid, sms_uid, handover, parts)
    select * from unnest(${parts.map((p) => p.gateway)}::text[], ${parts.map((p) => p.id)}::text[],
      ${parts.map((p) => p.clientUid)}::uuid[], ${parts.map((p) => p.uid)}::uuid[],
      ${parts.map((p) => p.handover)}::text[], ${parts.map((p) => p.of)}::int[])
    on conflict (gateway, provider_id) do update set sms_client_uid = excluded.sms_client_uid, sms_uid = excluded.sms_uid,
      handover = excluded.handover, parts = excluded.parts`.execute(system)
}

export interface PartReceipt {
  gateway: string
  id: string
  /** The text, if the provider repeats our reference. The receipt is then for all parts. */
  text: TextKey | null
  state: 'delivered' | 'failed' | null
  reason: string | null
}

/** Stores receipts. Only the first one of a part counts. Returns the texts that may have changed. */
export async function insertReceipts(system: Db, receipts: readonly PartReceipt[]): Promise<TextKey[]> {
  const sorted = receipts.toSorted(inKeyOrder)
  const { rows } = await sql<{ clientUid: ClientUid | null; uid: string | null }>`
    insert into sms_part as p (gateway, provider_id, sms_client_uid, sms_uid, handover, parts, state, reason)
    select r.gateway, r.id, s.client_uid, s.uid, case when s.uid is not null then r.id end,
      case when s.uid is not null then 1 end, r.state, r.reason
    from unnest(${sorted.map((r) => r.gateway)}::text[], ${sorted.map((r) => r.id)}::text[],
      ${sorted.map((r) => r.text?.clientUid ?? null)}::uuid[], ${sorted.map((r) => r.text?.uid ?? null)}::uuid[],
      ${sorted.map((r) => r.state)}::text[], ${sorted.map((r) => r.reason)}::text[])
      with ordinality as r (gateway, id, client_uid, uid, state, reason, nth)
    left join sms s on s.client_uid = r.client_uid and s.uid = r.uid
    order by r.nth
    on conflict (gateway, provider_id) do update set
      sms_client_uid = coalesce(p.sms_client_uid, excluded.sms_client_uid), sms_uid = coalesce(p.sms_uid, excluded.sms_uid),
      handover = coalesce(p.handover, excluded.handover), parts = coalesce(p.parts, excluded.parts),
      state = excluded.state, reason = excluded.reason
    where p.state is null and excluded.state is not null
    returning p.sms_client_uid as client_uid, p.sms_uid as uid`.execute(system)
  return rows.filter((row) => row.uid !== null) as TextKey[]
}

export interface TakenText {
  gateway: string
  id: string
  text: TextKey
}

/** Marks texts as handed over whose worker died before it could. They are not sent again. */
export async function markTaken(system: Db, taken: readonly TakenText[]): Promise<void> {
  await sql`
    update sms set status = 'handed_over', reason = null, gateway = t.gateway, provider_id = t.id, changed_at = now()
    from (
      select distinct on (r.client_uid, r.uid) r.*
      from unnest(${taken.map((r) => r.gateway)}::text[], ${taken.map((r) => r.id)}::text[],
        ${taken.map((r) => r.text.clientUid)}::uuid[], ${taken.map((r) => r.text.uid)}::uuid[])
        with ordinality as r (gateway, id, client_uid, uid, nth)
      order by r.client_uid, r.uid, r.nth
    ) t
    where sms.client_uid = t.client_uid and sms.uid = t.uid and sms.status = 'queued'`.execute(system)
}

/**
 * The new state of a text. States only move forward. A text is delivered when all parts of one handover are, and failed
 * when a part of its handover failed. A text that was never sent has no receipts.
 */
const settle = (texts: RawBuilder<unknown>) => sql`
  update sms set status = verdict.status, reason = verdict.reason, changed_at = now()
  from (
    select s.client_uid, s.uid, case when bool_or(h.arrived) then 'delivered' else 'failed' end as status,
      case when not bool_or(h.arrived) then max(h.reason) end as reason
    from ${texts}
    join sms s on s.client_uid = t.client_uid and s.uid = t.uid
    join lateral (
      select p.gateway, p.handover, max(p.reason) filter (where p.state = 'failed') as reason,
        count(*) filter (where p.state = 'delivered') = max(p.parts) as arrived, bool_or(p.state = 'failed') as lost
      from sms_part p where p.sms_client_uid = s.client_uid and p.sms_uid = s.uid
      group by p.gateway, p.handover
    ) h on h.arrived or (h.lost and h.gateway = s.gateway and h.handover = s.provider_id)
    group by s.client_uid, s.uid
  ) verdict
  where sms.client_uid = verdict.client_uid and sms.uid = verdict.uid
    and sms.status in ('queued', 'handed_over', 'unconfirmed')`

/** Updates states from receipts. Call after the commit of the parts: of two concurrent receipts, the later call sees both. Returns the number of changes. */
export async function settleTexts(system: Db, texts: readonly TextKey[]): Promise<number> {
  if (texts.length === 0) return 0
  const sorted = texts.toSorted((a, b) => (a.uid < b.uid ? -1 : 1))
  const { numAffectedRows } = await settle(
    sql`unnest(${sorted.map((t) => t.clientUid)}::uuid[], ${sorted.map((t) => t.uid)}::uuid[]) as t (client_uid, uid)`,
  ).execute(system)
  return Number(numAffectedRows)
}

/** Updates texts whose process was killed between both steps: reported, but unchanged for ten seconds. */
export async function settleForgottenTexts(system: Db): Promise<void> {
  await settle(sql`(
    select distinct s.client_uid, s.uid from sms s
    join sms_part p on p.sms_client_uid = s.client_uid and p.sms_uid = s.uid
    where s.status = 'handed_over' and s.changed_at < now() - interval '10 seconds' and p.state is not null) as t`).execute(
    system,
  )
}

/** All statements lock in this order. */
function inKeyOrder(a: { gateway: string; id: string }, b: { gateway: string; id: string }): number {
  if (a.gateway !== b.gateway) return a.gateway < b.gateway ? -1 : 1
  return a.id < b.id ? -1 : a.id > b.id ? 1 : 0
}
