import { sql } from 'kysely'
import type { ClientUid, EvacueeUid } from '#kernel/ids.ts'
import type { Tx } from '#server/platform/db/db.ts'

export interface NewLink {
  evacueeUid: string
  uid: string
  tokenHash: Buffer
}

/** People among these who have no live link. */
export async function listWithoutLink(
  tx: Tx,
  clientUid: ClientUid,
  evacueeUids: readonly string[],
): Promise<EvacueeUid[]> {
  const { rows } = await sql<{ uid: EvacueeUid }>`
    select uid from unnest(${evacueeUids}::uuid[]) as wanted (uid)
    where not exists (select from self_link l where l.client_uid = ${clientUid} and l.evacuee_uid = wanted.uid
      and l.revoked_at is null)
    order by uid`.execute(tx)
  return rows.map(({ uid }) => uid)
}

/** Someone else may have made one meanwhile: theirs stays. */
export async function insertLinks(tx: Tx, clientUid: ClientUid, links: readonly NewLink[]): Promise<void> {
  await sql`
    insert into self_link (client_uid, evacuee_uid, uid, token_hash)
    select ${clientUid}::uuid, l.evacuee_uid, l.uid, l.token_hash
    from unnest(${links.map((l) => l.evacueeUid)}::uuid[], ${links.map((l) => l.uid)}::uuid[],
      ${links.map((l) => l.tokenHash)}::bytea[]) as l (evacuee_uid, uid, token_hash)
    on conflict (client_uid, evacuee_uid) do update
      set uid = excluded.uid, token_hash = excluded.token_hash, made_at = now(), revoked_at = null
      where self_link.revoked_at is not null`.execute(tx)
}
