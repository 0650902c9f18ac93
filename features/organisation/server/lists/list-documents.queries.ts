import { sql } from 'kysely'
import type { ClientUid, PersonUid, SiteUid, WardenRoleUid } from '#kernel/ids.ts'
import type { Within } from '#server/administrators/reach.ts'
import type { Tx } from '#server/platform/db/db.ts'

export interface DocumentListRow {
  uid: string
  version: string
  name: string
  url: string | null
  storageKey: string | null
  bytes: number | null
  active: boolean
  siteUid: SiteUid | null
  site: string | null
  roleUid: WardenRoleUid | null
  role: string | null
  personUid: PersonUid | null
  person: string | null
}

/** Documents within reach, those in use first. */
export async function listDocuments(tx: Tx, clientUid: ClientUid, isWithin: Within): Promise<DocumentListRow[]> {
  const { rows } = await sql<DocumentListRow>`
    select d.uid, extract(epoch from d.updated_at)::text as version, d.name, d.url, d.storage_key, d.bytes, d.active,
      d.site_uid, st.name as site, d.role_uid, r.name as role, d.person_uid, p.name as person
    from document d
    left join site st on st.client_uid = d.client_uid and st.uid = d.site_uid
    left join warden_role r on r.client_uid = d.client_uid and r.uid = d.role_uid
    left join person p on p.client_uid = d.client_uid and p.uid = d.person_uid
    where d.client_uid = ${clientUid} and ${isWithin.document}
    order by not d.active, d.name collate "und-x-icu", d.uid`.execute(tx)
  return rows
}

export async function isDocumentWithin(tx: Tx, clientUid: ClientUid, isWithin: Within, uid: string): Promise<boolean> {
  const { rows } = await sql`
    select from document d where d.client_uid = ${clientUid} and d.uid = ${uid} and ${isWithin.document}`.execute(tx)
  return rows.length === 1
}

/** Sites and roles in use, which a scope may name. */
export async function listScopes(tx: Tx, clientUid: ClientUid, isWithin: Within) {
  const { rows: sites } = await sql<{ uid: SiteUid; name: string }>`
    select st.uid, st.name from site st
    where st.client_uid = ${clientUid} and st.retired_at is null and ${isWithin.site}
    order by st.name, st.uid`.execute(tx)
  const { rows: roles } = await sql<{ uid: WardenRoleUid; name: string }>`
    select r.uid, r.name from warden_role r where r.client_uid = ${clientUid} and r.active
    order by r.name collate "und-x-icu", r.uid`.execute(tx)
  return { sites, roles }
}

export interface Scope {
  site: SiteUid | null
  role: WardenRoleUid | null
  person: PersonUid | null
}

/** The codes of a scope. Null where one is named that is not within reach. */
export async function findScopeCodes(tx: Tx, clientUid: ClientUid, isWithin: Within, { site, role, person }: Scope) {
  const { rows } = await sql<{ site: string | null; role: string | null; person: string | null }>`select
    (select st.code from site st where st.client_uid = ${clientUid} and st.uid = ${site} and ${isWithin.site}) as site,
    (select r.code from warden_role r where r.client_uid = ${clientUid} and r.uid = ${role}) as role,
    (select p.code from person p where p.client_uid = ${clientUid} and p.uid = ${person} and p.active
      and ${isWithin.person}) as person`.execute(tx)
  return rows[0] as (typeof rows)[number]
}

export async function keepBytes(tx: Tx, clientUid: ClientUid, uid: string, bytes: number | null): Promise<void> {
  await tx.updateTable('document').set({ bytes }).where('clientUid', '=', clientUid).where('uid', '=', uid).execute()
}

/** Bytes of all stored files of the organisation, as far as they were counted. */
export async function sumBytes(tx: Tx, clientUid: ClientUid): Promise<number> {
  const { rows } = await sql<{ bytes: number }>`
    select coalesce(sum(bytes), 0)::bigint as bytes from document where client_uid = ${clientUid}`.execute(tx)
  return rows[0]?.bytes ?? 0
}
