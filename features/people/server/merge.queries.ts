import { sql } from 'kysely'
import type { ClientUid, PersonUid } from '#kernel/ids.ts'
import type { Tx } from '#server/platform/db/db.ts'

/** The one who stays, and the one who goes. */
export interface Merging {
  clientUid: ClientUid
  stays: PersonUid
  goes: PersonUid
}

interface PartsRow {
  staysAccountUid: string | null
  goesAccountUid: string | null
  staysHasPlan: boolean
  goesHasPlan: boolean
}

/** Accounts, also of persons who cannot sign in, and plans of both. */
export async function findParts(tx: Tx, { clientUid, stays, goes }: Merging): Promise<PartsRow> {
  const account = (uid: PersonUid) =>
    sql`(select p.account_uid from person p where p.client_uid = ${clientUid} and p.uid = ${uid})`
  const plan = (uid: PersonUid) =>
    sql`exists (select from peep q where q.client_uid = ${clientUid} and q.person_uid = ${uid} and q.active)`
  const { rows } = await sql<PartsRow>`
    select ${account(stays)} as stays_account_uid, ${account(goes)} as goes_account_uid,
      ${plan(stays)} as stays_has_plan, ${plan(goes)} as goes_has_plan`.execute(tx)
  return rows[0] as PartsRow
}

/** No two people have one code. */
export async function setCode(tx: Tx, clientUid: ClientUid, uid: PersonUid, code: string): Promise<void> {
  await tx.updateTable('person').set({ code }).where('clientUid', '=', clientUid).where('uid', '=', uid).execute()
}

/** The plan that counts, and the former ones. Of two active ones that of `planOf`. */
export async function movePlans(tx: Tx, { clientUid, stays, goes }: Merging, planOf: PersonUid): Promise<void> {
  await sql`update peep set active = false, updated_at = now()
    where client_uid = ${clientUid} and person_uid = any (${[stays, goes]}::uuid[]) and person_uid <> ${planOf} and active`.execute(
    tx,
  )
  await sql`update peep set person_uid = ${stays} where client_uid = ${clientUid} and person_uid = ${goes}`.execute(tx)
}

/** Groups and documents. What happened stays with the one who goes. */
export async function moveBelongings(tx: Tx, { clientUid, stays, goes }: Merging): Promise<void> {
  const own = sql`client_uid = ${clientUid} and person_uid = ${goes}`
  await sql`insert into people_group_member (client_uid, group_uid, person_uid)
    select client_uid, group_uid, ${stays} from people_group_member where ${own} on conflict do nothing`.execute(tx)
  await sql`delete from people_group_member where ${own}`.execute(tx)
  await sql`update document set person_uid = ${stays}, updated_at = now() where ${own}`.execute(tx)
}
