import { sql } from 'kysely'
import type { ReachKind } from '#kernel/console-kinds.ts'
import type { AdministratorUid, ClientUid, GroupUid, PersonUid, SiteUid } from '#kernel/ids.ts'
import type { Tx } from '#server/platform/db/db.ts'
import { marked } from './marked.ts'

export interface NewGrant {
  clientUid: ClientUid
  personUid: PersonUid
  reach: ReachKind
  siteUid: SiteUid | null
  groupUid: GroupUid | null
  seesPlans: boolean
  grantedByPersonUid: PersonUid | null
}

export async function insertGrant(tx: Tx, grant: NewGrant): Promise<AdministratorUid> {
  const { clientUid, personUid, reach, siteUid, groupUid, seesPlans, grantedByPersonUid } = grant
  const { rows } = await sql<{ uid: AdministratorUid }>`${marked}
    insert into administrator (client_uid, person_uid, reach, site_uid, group_uid, sees_plans, granted_by_person_uid)
    values (${clientUid}, ${personUid}, ${reach}, ${siteUid}, ${groupUid}, ${seesPlans}, ${grantedByPersonUid}) returning uid`.execute(
    tx,
  )
  return (rows[0] as { uid: AdministratorUid }).uid
}

export async function endGrant(tx: Tx, clientUid: ClientUid, uid: AdministratorUid): Promise<void> {
  await sql`${marked}
    update administrator set revoked_at = now() where client_uid = ${clientUid} and uid = ${uid}`.execute(tx)
}

/** Ends a grant, and gives the same without the Plans permission. Undefined if it has ended already. */
export async function endPlansPermission(tx: Tx, clientUid: ClientUid, grantUid: string, byPersonUid: string | null) {
  const { rows } = await sql<{ uid: AdministratorUid; personUid: PersonUid }>`
    select uid, person_uid from administrator
    where client_uid = ${clientUid} and uid = ${grantUid} and revoked_at is null`.execute(tx)
  if (!rows[0]) return undefined
  await endGrant(tx, clientUid, rows[0].uid)
  const made = await sql<{ uid: AdministratorUid }>`${marked}
    insert into administrator (client_uid, person_uid, reach, site_uid, group_uid, sees_plans, granted_by_person_uid, owed_link)
    select client_uid, person_uid, reach, site_uid, group_uid, false, ${byPersonUid}::uuid, owed_link from administrator
    where client_uid = ${clientUid} and uid = ${grantUid} returning uid`.execute(tx)
  return made.rows[0]?.uid
}

/** Live grants of someone who is erased. */
export async function endGrantsOf(tx: Tx, clientUid: ClientUid, personUid: PersonUid): Promise<void> {
  await sql`${marked}
    update administrator set revoked_at = now()
    where client_uid = ${clientUid} and person_uid = ${personUid} and revoked_at is null`.execute(tx)
}
