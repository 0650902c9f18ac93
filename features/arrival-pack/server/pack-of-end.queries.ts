import { sql } from 'kysely'
import type { ClientUid, EventUid, PersonUid } from '#kernel/ids.ts'
import type { Tx } from '#server/platform/db/db.ts'

/** A JSON text. Null: the event of the pack runs. */
export async function findEndContent(tx: Tx, clientUid: ClientUid, packUid: string): Promise<string | null> {
  const { rows } = await sql<{ content: string | null }>`
    select end_content::text as content from arrival_pack where client_uid = ${clientUid} and uid = ${packUid}`.execute(
    tx,
  )
  return rows[0]?.content ?? null
}

/** All packs of the event get it. */
export async function keepEndContent(tx: Tx, clientUid: ClientUid, eventUid: EventUid, content: string): Promise<void> {
  await sql`
    update arrival_pack set end_content = ${content}::jsonb
    where client_uid = ${clientUid} and event_uid = ${eventUid} and ended_at is null`.execute(tx)
}

export interface NamedRow {
  uid: PersonUid
  name: string
  mobile: string | null
}

export async function listNames(tx: Tx, clientUid: ClientUid, uids: readonly PersonUid[]): Promise<NamedRow[]> {
  const { rows } = await sql<NamedRow>`
    select uid, name, mobile from person
    where client_uid = ${clientUid} and uid = any (${uids}::uuid[])`.execute(tx)
  return rows
}
