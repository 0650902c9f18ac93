import { listLimits } from '#kernel/console-kinds.ts'
import type { ClientUid } from '#kernel/ids.ts'
import { checklistItems } from '#kernel/limits.ts'
import type { CallAnswer, CallInput } from '#kernel/route.ts'
import type { Administrator } from '#server/administrators/administrator.ts'
import type { Tx } from '#server/platform/db/db.ts'
import { fieldRefusal, Refusal } from '#server/platform/errors.ts'
import type { addChecklistItem, changeChecklistItem, listChecklist, orderChecklist } from '../../calls/lists.ts'
import { changeRows, newCode, reachesLists, requireRoom, requireWhole, wholePage, yesNo } from './list-change.ts'
import * as queries from './lists.queries.ts'
import { holdIfWhole } from './lists.service.ts'

/** The organisation's own items in their order. */
export async function presentItems(
  tx: Tx,
  administrator: Administrator,
  now: Date,
): Promise<CallAnswer<typeof listChecklist>> {
  const rows = reachesLists(administrator) ? await queries.listItems(tx, administrator.clientUid) : []
  return wholePage(
    rows.map(({ active, ...row }) => ({ ...row, in_use: active })),
    now,
  )
}

export async function addItem(
  tx: Tx,
  administrator: Administrator,
  now: Date,
  { text, in_use }: CallInput<typeof addChecklistItem>['body'],
) {
  requireWhole(administrator)
  const last = await queries.findLastOrder(tx, administrator.clientUid, 'checklistItem')
  const row = { uid: null, code: newCode(), text, active: yesNo(in_use), display_order: String(last + 1) }
  const { checklist: [uid = ''] = [] } = await changeRows(tx, administrator, now, { checklist: [row] })
  await checkItems(tx, administrator.clientUid)
  return { uid }
}

export async function changeItem(
  tx: Tx,
  administrator: Administrator,
  now: Date,
  { params: { uid }, body: { version, text, in_use } }: CallInput<typeof changeChecklistItem>,
) {
  await holdIfWhole(tx, administrator, { table: 'checklist_item', uid, version })
  await changeRows(tx, administrator, now, { checklist: [{ uid, text, active: yesNo(in_use) }] })
  await checkItems(tx, administrator.clientUid)
  return { uid }
}

/** The order of all of them. Throws `changed_since` if there are others by now. */
export async function orderItems(
  tx: Tx,
  administrator: Administrator,
  now: Date,
  { uids }: CallInput<typeof orderChecklist>['body'],
): Promise<CallAnswer<typeof orderChecklist>> {
  requireWhole(administrator)
  const wanted = [...new Set(uids)]
  const rows = wanted.map((uid, nth) => ({ uid, display_order: String(nth + 1) }))
  if (rows.length > 0) await changeRows(tx, administrator, now, { checklist: rows })
  const stored = await queries.listItems(tx, administrator.clientUid)
  if (stored.length !== wanted.length) throw new Refusal('changed_since')
  return { status: 'ordered' }
}

/** After the change, under the lock of the directory. */
async function checkItems(tx: Tx, clientUid: ClientUid): Promise<void> {
  const rows = await queries.listItems(tx, clientUid)
  if (rows.filter(({ active }) => active).length > checklistItems)
    throw fieldRefusal(
      'invalid_request',
      `${checklistItems} items are already in use. Take one out of use first.`,
      'text',
    )
  requireRoom(rows.length, listLimits.checklist)
}
