import { sql } from 'kysely'
import type { ClientUid, SiteUid } from '#kernel/ids.ts'
import type { Tx } from '#server/platform/db/db.ts'

export interface PageRow {
  siteName: string
  code: string
  open: boolean
}

/** Gives the poster of the site its first code. False if it has one: of two at once the first stands. */
export async function keepPage(tx: Tx, clientUid: ClientUid, siteUid: SiteUid, code: string): Promise<boolean> {
  const made = await tx
    .insertInto('selfReportPage')
    .values({ clientUid, siteUid, code })
    .onConflict((oc) => oc.columns(['clientUid', 'siteUid']).doNothing())
    .executeTakeFirst()
  return made.numInsertedOrUpdatedRows === 1n
}

export async function findPage(tx: Tx, clientUid: ClientUid, siteUid: SiteUid): Promise<PageRow | undefined> {
  const { rows } = await sql<PageRow>`
    select st.name as site_name, p.code, p.open from self_report_page p
    join site st on st.client_uid = p.client_uid and st.uid = p.site_uid
    where p.client_uid = ${clientUid} and p.site_uid = ${siteUid}`.execute(tx)
  return rows[0]
}

export async function replaceCode(tx: Tx, clientUid: ClientUid, siteUid: SiteUid, code: string): Promise<void> {
  await tx
    .updateTable('selfReportPage')
    .set({ code, open: true, since: sql`now()` })
    .where('clientUid', '=', clientUid)
    .where('siteUid', '=', siteUid)
    .execute()
}

/** True if that changed it. */
export async function setOpen(tx: Tx, clientUid: ClientUid, siteUid: SiteUid, open: boolean): Promise<boolean> {
  const { numUpdatedRows } = await tx
    .updateTable('selfReportPage')
    .set({ open })
    .where('clientUid', '=', clientUid)
    .where('siteUid', '=', siteUid)
    .where('open', '<>', open)
    .executeTakeFirst()
  return numUpdatedRows === 1n
}
