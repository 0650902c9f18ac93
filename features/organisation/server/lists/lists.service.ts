import { valuesOf } from '#features/directory/column-kinds.ts'
import { columns } from '#features/directory/columns.ts'
import { cellsOf, holdDirectory } from '#features/directory/server/change-directory.service.ts'
import { announcementOf } from '#kernel/action-words.ts'
import { listLimits } from '#kernel/console-kinds.ts'
import type { ClientUid, EventTypeUid } from '#kernel/ids.ts'
import type { CallAnswer, CallInput } from '#kernel/route.ts'
import type { Administrator } from '#server/administrators/administrator.ts'
import type { Tx } from '#server/platform/db/db.ts'
import { fieldRefusal, Refusal } from '#server/platform/errors.ts'
import type {
  addEventType,
  addEventTypeSet,
  addFloorStatus,
  addTemplate,
  changeEventType,
  changeFloorStatus,
  changeTemplate,
  listEventTypes,
  listFloorStatuses,
  listTemplateRows,
  orderFloorStatuses,
} from '../../calls/lists.ts'
import { missingTypes } from '../../type-sets.ts'
import {
  changeRows,
  holdAsRead,
  newCode,
  reachesLists,
  requireRoom,
  requireWhole,
  wholePage,
  yesNo,
} from './list-change.ts'
import * as queries from './lists.queries.ts'

type Body<I extends { body: unknown }> = I['body']

/** Floor statuses in their order. */
export async function presentStatuses(
  tx: Tx,
  administrator: Administrator,
  now: Date,
): Promise<CallAnswer<typeof listFloorStatuses>> {
  const rows = reachesLists(administrator) ? await queries.listStatuses(tx, administrator.clientUid) : []
  return wholePage(
    rows.map(({ inUse, meansClear, action, ...row }) => ({
      ...row,
      in_use: inUse,
      means_clear: meansClear,
      ...(action && { action }),
    })),
    now,
  )
}

export async function addStatus(
  tx: Tx,
  administrator: Administrator,
  now: Date,
  body: Body<CallInput<typeof addFloorStatus>>,
) {
  requireWhole(administrator)
  const last = await queries.findLastOrder(tx, administrator.clientUid, 'floorStatus')
  const row = { uid: null, code: newCode(), ...statusCells(body), display_order: String(last + 1) }
  const { floorStatuses: [uid = ''] = [] } = await changeRows(tx, administrator, now, { floorStatuses: [row] })
  await checkStatuses(tx, administrator.clientUid)
  return { uid }
}

/** Without the mark a new status takes that of its name, and a changed one keeps its own. */
const statusCells = ({ name, colour, in_use, means_clear }: Body<CallInput<typeof addFloorStatus>>) => ({
  name,
  colour,
  in_use: yesNo(in_use),
  ...(means_clear !== undefined && { means_clear: yesNo(means_clear) }),
})

export async function changeStatus(
  tx: Tx,
  administrator: Administrator,
  now: Date,
  { params: { uid }, body: { version, ...body } }: CallInput<typeof changeFloorStatus>,
) {
  await holdIfWhole(tx, administrator, { table: 'floor_status', uid, version })
  await changeRows(tx, administrator, now, { floorStatuses: [{ uid, ...statusCells(body) }] })
  await checkStatuses(tx, administrator.clientUid)
  return { uid }
}

/** The order of all of them. Throws `changed_since` if there are others by now. */
export async function orderStatuses(
  tx: Tx,
  administrator: Administrator,
  now: Date,
  { uids }: Body<CallInput<typeof orderFloorStatuses>>,
): Promise<CallAnswer<typeof orderFloorStatuses>> {
  requireWhole(administrator)
  const wanted = [...new Set(uids)]
  const rows = wanted.map((uid, nth) => ({ uid, display_order: String(nth + 1) }))
  if (rows.length > 0) await changeRows(tx, administrator, now, { floorStatuses: rows })
  const stored = await queries.listStatuses(tx, administrator.clientUid)
  if (stored.length !== wanted.length) throw new Refusal('changed_since')
  return { status: 'ordered' }
}

/** After the change, under the lock of the directory: one is in use, no two share a name, at most 20. So it is for each action. */
async function checkStatuses(tx: Tx, clientUid: ClientUid): Promise<void> {
  const ofAction = Map.groupBy(await queries.listStatuses(tx, clientUid), ({ action }) => action)
  for (const rows of ofAction.values()) {
    if (!rows.some(({ inUse }) => inUse))
      throw fieldRefusal('invalid_request', 'At least one status must be in use.', 'in_use')
    if (new Set(rows.map(({ name }) => name.toLowerCase())).size < rows.length)
      throw fieldRefusal('taken', 'This name is already in use.', 'name')
    requireRoom(rows.length, listLimits.floorStatuses)
  }
}

/** The row that was read, held. Whom the list does not reach finds no row. */
export function holdIfWhole(
  tx: Tx,
  administrator: Administrator,
  row: { table: queries.ListTable; uid: string; version: string },
) {
  if (!reachesLists(administrator)) throw new Refusal('not_found')
  return holdAsRead(tx, administrator.clientUid, row)
}

/** Event types, those in use first. */
export async function presentEventTypes(
  tx: Tx,
  administrator: Administrator,
  now: Date,
): Promise<CallAnswer<typeof listEventTypes>> {
  const rows = reachesLists(administrator) ? await queries.listEventTypes(tx, administrator.clientUid) : []
  return wholePage(
    rows.map(({ uid, version, ...row }) => {
      const { code: _, active, ...values } = valuesOf(columns.eventTypes, row)
      return { uid, version, ...values, in_use: active }
    }),
    now,
  )
}

const typeCells = ({ in_use, ...values }: Body<CallInput<typeof addEventType>>) => ({
  ...cellsOf(values),
  active: yesNo(in_use),
})

export async function addType(
  tx: Tx,
  administrator: Administrator,
  now: Date,
  body: Body<CallInput<typeof addEventType>>,
) {
  requireWhole(administrator)
  const row = { uid: null, code: newCode(), ...typeCells(body) }
  const { eventTypes: [uid = ''] = [] } = await changeRows(tx, administrator, now, { eventTypes: [row] })
  requireRoom(await queries.countRows(tx, administrator.clientUid, 'event_type'), listLimits.eventTypes)
  return { uid }
}

/** Names that are there stay as they are, whatever their action. */
export async function addTypeSet(
  tx: Tx,
  administrator: Administrator,
  now: Date,
  { set }: Body<CallInput<typeof addEventTypeSet>>,
): Promise<CallAnswer<typeof addEventTypeSet>> {
  requireWhole(administrator)
  await holdDirectory(tx, administrator.clientUid)
  const known = await queries.listEventTypes(tx, administrator.clientUid)
  const rows = missingTypes(
    set,
    known.map(({ type }) => type),
  ).map(({ type, action, where }) => ({
    uid: null,
    code: newCode(),
    type,
    description: '',
    message: announcementOf(action, where),
    action,
    where,
    active: yesNo(true),
  }))
  if (rows.length > 0) await changeRows(tx, administrator, now, { eventTypes: rows })
  requireRoom(known.length + rows.length, listLimits.eventTypes)
  return { added: rows.length }
}

/** The type of a running event keeps its name until the end. */
export async function changeType(
  tx: Tx,
  administrator: Administrator,
  now: Date,
  { params: { uid }, body: { version, ...body } }: CallInput<typeof changeEventType>,
) {
  await holdIfWhole(tx, administrator, { table: 'event_type', uid, version })
  await refuseRenameInEvent(tx, administrator.clientUid, uid, body.type)
  await changeRows(tx, administrator, now, { eventTypes: [{ uid, ...typeCells(body) }] })
  return { uid }
}

async function refuseRenameInEvent(tx: Tx, clientUid: ClientUid, uid: EventTypeUid, type: string): Promise<void> {
  if ((await queries.findTypeName(tx, clientUid, uid)) === type.trim()) return
  const site = await queries.findSiteOfRunning(tx, clientUid, uid)
  if (!site) return
  throw fieldRefusal('in_event', `An event is running at ${site}. This can be changed when it has ended.`, 'type')
}

/** Message templates, those in use first. */
export async function presentTemplates(
  tx: Tx,
  administrator: Administrator,
  now: Date,
): Promise<CallAnswer<typeof listTemplateRows>> {
  const rows = reachesLists(administrator) ? await queries.listTemplates(tx, administrator.clientUid) : []
  return wholePage(
    rows.map(({ uid, version, type, text, automatedResponse, active }) => ({
      uid,
      version,
      kind: type,
      text,
      coded_answer: automatedResponse,
      in_use: active,
    })),
    now,
  )
}

const templateCells = ({ kind, text, coded_answer, in_use }: Body<CallInput<typeof addTemplate>>) => ({
  type: kind,
  text,
  automated_response: coded_answer ? '1' : '0',
  active: yesNo(in_use),
})

export async function addTemplateRow(
  tx: Tx,
  administrator: Administrator,
  now: Date,
  body: Body<CallInput<typeof addTemplate>>,
) {
  requireWhole(administrator)
  const row = { uid: null, code: newCode(), ...templateCells(body) }
  const { templates: [uid = ''] = [] } = await changeRows(tx, administrator, now, { templates: [row] })
  requireRoom(await queries.countRows(tx, administrator.clientUid, 'message_template'), listLimits.templates)
  return { uid }
}

export async function changeTemplateRow(
  tx: Tx,
  administrator: Administrator,
  now: Date,
  { params: { uid }, body: { version, ...body } }: CallInput<typeof changeTemplate>,
) {
  await holdIfWhole(tx, administrator, { table: 'message_template', uid, version })
  await changeRows(tx, administrator, now, { templates: [{ uid, ...templateCells(body) }] })
  return { uid }
}
