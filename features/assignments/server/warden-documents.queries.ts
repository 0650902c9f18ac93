import { sql } from 'kysely'
import type { PersonUid, SiteUid, WardenRoleUid } from '#kernel/ids.ts'
import type { Db, Tx } from '#server/platform/db/db.ts'

export interface DocumentRow {
  uid: string
  name: string
  url: string | null
  storageKey: string | null
}

/** A document belongs to an assignment if each scope that it names matches: site, role, person. */
export async function listDocumentsOf(
  tx: Tx,
  { siteUid, roleUid, personUid }: { siteUid: SiteUid; roleUid: WardenRoleUid; personUid: PersonUid },
): Promise<DocumentRow[]> {
  return tx
    .selectFrom('document')
    .select(['uid', 'name', 'url', 'storageKey'])
    .where('active', '=', true)
    .where(sql<boolean>`(site_uid is null or site_uid = ${siteUid})`)
    .where(sql<boolean>`(role_uid is null or role_uid = ${roleUid})`)
    .where(sql<boolean>`(person_uid is null or person_uid = ${personUid})`)
    .orderBy('name')
    .orderBy('code')
    .execute()
}

/** A stored document by its uid, for signed links. Use the system role. */
export function findStoredDocument(system: Db, uid: string) {
  return system
    .selectFrom('document as d')
    .innerJoin('client as c', 'c.uid', 'd.clientUid')
    .select(['d.name', 'd.storageKey'])
    .where('d.uid', '=', uid)
    .where('d.active', '=', true)
    .where('c.active', '=', true)
    .executeTakeFirst()
}
