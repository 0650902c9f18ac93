import { sql } from 'kysely'
import type { ClientUid } from '#kernel/ids.ts'
import type { Db, Tx } from '#server/platform/db/db.ts'
import type { DataFile } from './data-files.queries.ts'
import type { LogOf } from './sealing.queries.ts'

/** Deletes the texts of all lines of these files. */
export async function dropLines(tx: Tx, of: LogOf, files: readonly DataFile[]): Promise<void> {
  await sql`
    update record_tile set lines = null
    where (client_uid, event_uid) = (${of.clientUid}, ${of.eventUid}) and file = any (${[...files]}::text[])
      and lines is not null`.execute(tx)
}

/** Closing a record and erasing a person of one organisation wait for each other. */
export async function lockErasing(tx: Tx, clientUid: ClientUid): Promise<void> {
  await sql`select from client where uid = ${clientUid} for no key update`.execute(tx)
}

/** True if the organisation has erased someone since then. */
export async function hasErasedSince(tx: Tx, clientUid: ClientUid, since: Date): Promise<boolean> {
  const { rows } = await sql`
    select from person where client_uid = ${clientUid} and erased_at >= ${since} limit 1`.execute(tx)
  return rows.length > 0
}

export interface PackedLines extends LogOf {
  file: DataFile
  idx: number
  commits: Buffer
  lines: Buffer
}

/** So many packed tiles of the organisation after that one, of all its records. */
export async function listPacked(tx: Tx, clientUid: ClientUid, after: PackedLines | undefined, most: number) {
  const { eventUid = '00000000-0000-0000-0000-000000000000', file = 'journal', idx = 0 } = after ?? {}
  const { rows } = await sql<PackedLines>`
    select client_uid, event_uid, file, idx, commits, lines from record_tile
    where client_uid = ${clientUid} and (event_uid, file, idx) > (${eventUid}::uuid, ${file}, ${idx})
      and lines is not null
    order by event_uid, file, idx limit ${most}`.execute(tx)
  return rows
}

export async function saveLines(tx: Tx, { clientUid, eventUid, file, idx }: PackedLines, lines: Buffer): Promise<void> {
  await sql`
    update record_tile set lines = ${lines}
    where (client_uid, event_uid, file, idx) = (${clientUid}, ${eventUid}, ${file}, ${idx})`.execute(tx)
}

/** The secret of an event goes with the last row of its journal. Returns the number of secrets. */
export async function dropSecrets(system: Db): Promise<number> {
  const { numAffectedRows } = await sql`
    update record_log l set salt_secret = null
    where salt_secret is not null and not exists (select from journal j where j.event_uid = l.event_uid)`.execute(
    system,
  )
  return Number(numAffectedRows ?? 0)
}
