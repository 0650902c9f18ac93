import { sql } from 'kysely'
import type { Tx } from '#server/platform/db/db.ts'
import type { JournalActor } from '#server/platform/db/journal.ts'

/** Who makes an entry, in the role of their participation or session. An administrator has neither. Undefined: no one does. */
export async function findBy(
  tx: Tx,
  { clientUid, personUid, signInUid, sessionUid }: JournalActor,
): Promise<{ name: string; role: string } | undefined> {
  const { rows } = await sql<{ name: string; role: string }>`
    select p.name, coalesce(r.name, 'Administrator') as role
    from person p
    left join warden_assignment a on a.client_uid = p.client_uid and a.uid = coalesce(
      (select assignment_uid from warden_sign_in where client_uid = p.client_uid and uid = ${signInUid}),
      (select assignment_uid from session where uid = ${sessionUid ?? null}))
    left join warden_role r on r.client_uid = a.client_uid and r.uid = a.role_uid
    where p.client_uid = ${clientUid} and p.uid = ${personUid}`.execute(tx)
  return rows[0]
}
