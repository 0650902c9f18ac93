import { sql } from 'kysely'
import type { RowOf } from '#features/directory/column-kinds.ts'
import { columns } from '#features/directory/columns.ts'
import type { ClientUid } from '#kernel/ids.ts'
import type { Tx } from '#server/platform/db/db.ts'

/** The settings as they are stored. Days and segments are null where the organisation says nothing. */
export type StoredSettings = Omit<RowOf<typeof columns.organisation>, 'code'>

export interface SettingsRow extends StoredSettings {
  code: string
  /** Changes with every change of the row. */
  version: string
  updatedAt: Date
}

/** The settings; `forChange` holds the organisation, so that changes take turns. */
export async function getSettingsRow(tx: Tx, clientUid: ClientUid, { forChange = false } = {}): Promise<SettingsRow> {
  const { rows } = await sql<SettingsRow>`
    select ${sql.join(Object.keys(columns.organisation).map((name) => sql.ref(name)))}, updated_at,
      extract(epoch from updated_at)::text as version
    from client where uid = ${clientUid} ${forChange ? sql`for no key update` : sql``}`.execute(tx)
  return rows[0] as SettingsRow
}

export async function updateSettings(tx: Tx, clientUid: ClientUid, values: Partial<StoredSettings>): Promise<void> {
  await tx
    .updateTable('client')
    .set({ ...values, updatedAt: sql`clock_timestamp()` })
    .where('uid', '=', clientUid)
    .execute()
}

/** The name of a site with a running event. Undefined if there is none. */
export async function findSiteInEvent(tx: Tx, clientUid: ClientUid): Promise<string | undefined> {
  const { rows } = await sql<{ name: string }>`
    select st.name from event e join site st on st.client_uid = e.client_uid and st.uid = e.site_uid
    where e.client_uid = ${clientUid} and e.ended_at is null order by e.started_at limit 1`.execute(tx)
  return rows[0]?.name
}
