import { randomUUID } from 'node:crypto'
import {
  changeDirectory,
  type FormRows,
  holdDirectory,
  requireNone,
} from '#features/directory/server/change-directory.service.ts'
import type { ClientUid } from '#kernel/ids.ts'
import { type Administrator, journalAdministrator } from '#server/administrators/administrator.ts'
import type { Tx } from '#server/platform/db/db.ts'
import { fieldRefusal, Refusal } from '#server/platform/errors.ts'
import { findZone, type HeldListRow, holdListRow, type ListTable } from './lists.queries.ts'

/** Texts and statuses are of the whole organisation. Others have none of them. */
export const reachesLists = ({ reach }: Administrator) => reach.kind === 'organisation'

export function requireWhole(administrator: Administrator): void {
  if (!reachesLists(administrator)) throw new Refusal('forbidden', 'Only for administrators of the whole organisation.')
}

/** Rows of the import format, by its rules and in its words. The codes of new rows are made here. */
export async function changeRows(tx: Tx, administrator: Administrator, now: Date, rows: FormRows) {
  const changed = await changeDirectory(tx, { by: journalAdministrator(administrator), rows, now })
  requireNone(changed)
  return changed.uids
}

/** No one reads or types it: it names the row in the files of an export. */
export const newCode = () => randomUUID().slice(0, 13).toUpperCase()

/** The row that was read, held under the lock of the directory. Throws `not_found`, or `changed_since` if someone else has changed it. */
export async function holdAsRead(
  tx: Tx,
  clientUid: ClientUid,
  { table, uid, version }: { table: ListTable; uid: string; version: string },
): Promise<HeldListRow> {
  await holdDirectory(tx, clientUid)
  const held = await holdListRow(tx, clientUid, table, uid)
  if (!held) throw new Refusal('not_found')
  if (held.version !== version) throw await changedSince(tx, clientUid, held.updatedAt)
  return held
}

async function changedSince(tx: Tx, clientUid: ClientUid, at: Date): Promise<Refusal> {
  const timeZone = await findZone(tx, clientUid)
  const minute = new Intl.DateTimeFormat('en-AU', { timeZone, hour: '2-digit', minute: '2-digit', hourCycle: 'h23' })
  return new Refusal('changed_since', `Someone else changed this at ${minute.format(at)}.`)
}

export const yesNo = (value: boolean) => (value ? 'yes' : 'no')

/** A list has an end. Called after the change, under the lock of the directory. */
export function requireRoom(count: number, most: number): void {
  if (count > most)
    throw fieldRefusal('invalid_request', `There are already ${most}. Change one of them instead.`, 'name')
}

/** All rows of a short list as one page. */
export const wholePage = <Row>(rows: Row[], now: Date) => ({
  rows,
  total: rows.length,
  more: { before: null, after: null },
  asOf: now.toISOString(),
})
