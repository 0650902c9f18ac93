import { sql } from 'kysely'
import { reachingOfNew } from '#features/reach/kinds.ts'
import type { ClientUid } from '#kernel/ids.ts'
import type { Tx } from '#server/platform/db/db.ts'
import { recordset } from '#server/platform/db/recordset.ts'
import type { OrganisationRow } from '../../columns.ts'

export interface ClientValues extends OrganisationRow {
  uid: string
}

/** A new organisation, which reaches people until they answer. */
export async function insertClient(
  tx: Tx,
  values: Partial<ClientValues> & Pick<ClientValues, 'uid' | 'code' | 'name'>,
) {
  await tx
    .insertInto('client')
    .values({ ...values, reach: JSON.stringify(reachingOfNew) })
    .execute()
}

export async function updateClient(tx: Tx, uid: ClientUid, values: Partial<ClientValues>): Promise<void> {
  await tx
    .updateTable('client')
    .set({ ...values, updatedAt: sql`now()` })
    .where('uid', '=', uid)
    .execute()
}

/** Who is one already stays one. */
export async function insertMembers(
  tx: Tx,
  clientUid: string,
  rows: readonly { groupUid: string; personUid: string }[],
): Promise<void> {
  await sql`
    insert into people_group_member (client_uid, group_uid, person_uid)
    select ${clientUid}::uuid, i.group_uid, i.person_uid from ${recordset(rows, { groupUid: 'uuid', personUid: 'uuid' })}
    on conflict do nothing`.execute(tx)
}

/** `uploadUid`: the upload that ends them. */
export async function endPeeps(
  tx: Tx,
  clientUid: string,
  personUids: readonly string[],
  uploadUid: string | null = null,
): Promise<void> {
  await sql`
    update peep set active = false, updated_at = now(), ended_by_upload_uid = ${uploadUid}
    where client_uid = ${clientUid} and person_uid = any (${personUids}::uuid[]) and active`.execute(tx)
}

/** Marks new plans as those of an upload. */
export async function markPlans(tx: Tx, clientUid: string, uids: readonly string[], uploadUid: string): Promise<void> {
  await sql`
    update peep set made_by_upload_uid = ${uploadUid}
    where client_uid = ${clientUid} and uid = any (${uids}::uuid[])`.execute(tx)
}
