import { sql } from 'kysely'
import type { ClientUid, SiteUid } from '#kernel/ids.ts'
import type { Db, Tx } from '#server/platform/db/db.ts'

export interface OrganisationOverview {
  code: string
  name: string
  active: boolean
  /** The address of the installation that it has gone to. */
  movedTo: string | null
  people: number
  events: number
}

/** All organisations by code, with numbers of active people and running events. */
export async function listOrganisations(system: Db): Promise<OrganisationOverview[]> {
  const { rows } = await sql<OrganisationOverview>`
    select c.code, c.name, c.active, c.moved_to,
      (select count(*) from person p where p.client_uid = c.uid and p.active) as people,
      (select count(*) from event e where e.client_uid = c.uid and e.ended_at is null) as events
    from client c order by c.code`.execute(system)
  return rows
}

/** Locks the organisation of the code until the transaction ends. */
export function lockOrganisation(tx: Tx, code: string) {
  return tx
    .selectFrom('client')
    .select(['uid', 'active', 'movedTo'])
    .where('code', '=', code)
    .forNoKeyUpdate()
    .executeTakeFirst()
}

export async function listSites(tx: Tx, clientUid: ClientUid): Promise<SiteUid[]> {
  const rows = await tx.selectFrom('site').select('uid').where('clientUid', '=', clientUid).orderBy('uid').execute()
  return rows.map(({ uid }) => uid)
}

export async function setActive(tx: Tx, clientUid: ClientUid, active: boolean): Promise<void> {
  await tx.updateTable('client').set({ active, updatedAt: sql`now()` }).where('uid', '=', clientUid).execute()
}

/** Null: it is at home here. */
export async function setMovedTo(tx: Tx, clientUid: ClientUid, movedTo: string | null): Promise<void> {
  await tx
    .updateTable('client')
    .set({ active: false, movedTo, movedAt: movedTo === null ? null : sql`now()`, updatedAt: sql`now()` })
    .where('uid', '=', clientUid)
    .execute()
}
