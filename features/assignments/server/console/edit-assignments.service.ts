import { holdDirectory } from '#features/directory/server/change-directory.service.ts'
import type { AssignmentUid, ClientUid } from '#kernel/ids.ts'
import { longestReason } from '#kernel/limits.ts'
import type { CallAnswer, CallInput } from '#kernel/route.ts'
import { type Administrator, journalAdministrator } from '#server/administrators/administrator.ts'
import { presentPage, readSpan } from '#server/administrators/list-page.ts'
import { within } from '#server/administrators/reach.ts'
import type { Services } from '#server/http/services.ts'
import type { Tx } from '#server/platform/db/db.ts'
import { Refusal } from '#server/platform/errors.ts'
import type { AssignmentRow, changeAssignment, listAssignments } from '../../calls/wardens.ts'
import { endHeldAssignment } from '../assignments.service.ts'
import { dropOpposite, putOff } from '../deferred-changes/deferred-changes.service.ts'
import { listSame } from './assignment-offers.queries.ts'
import { readPlaces } from './assignment-offers.service.ts'
import { inEvent, requireVersion, save } from './change-or-defer.ts'
import * as queries from './edit-assignments.queries.ts'

/** A page of the assignments within reach. */
export async function presentAssignments(
  { secrets, clock }: Services,
  tx: Tx,
  administrator: Administrator,
  { after, before, ...filters }: CallInput<typeof listAssignments>['query'],
): Promise<CallAnswer<typeof listAssignments>> {
  const { clientUid } = administrator
  const name = { seal: secrets.listKeys, clientUid, list: 'assignments' }
  const span = readSpan(name, { ...(after !== undefined && { after }), ...(before !== undefined && { before }) })
  const is = within(administrator).assignment
  if (!(await queries.areKnown(tx, administrator, filters))) throw new Refusal('not_found')
  const found = await queries.listAssignments(tx, clientUid, is, filters, span)
  const total = await queries.countAssignments(tx, clientUid, is, filters)
  return presentPage(name, span, found, { keyOf: queries.keyOf, present, total, now: clock.now() })
}

const present = (row: queries.StoredAssignment): AssignmentRow => ({
  uid: row.uid,
  person: { uid: row.personUid, first_name: row.firstName, last_name: row.lastName },
  role: { uid: row.roleUid, name: row.roleName, domain: row.domain },
  site: { uid: row.siteUid, name: row.siteName },
  places: row.places.map(({ id, name }) => ({ uid: id, name })),
  from: row.dateFrom,
  to: row.dateTo,
  state: row.state,
  reason: row.reason,
  is_on_duty: row.isOnDuty,
  is_waiting: row.isWaiting,
  version: row.version,
})

/** Other days and places. What would end the duty of a warden in a running event is refused. */
export async function change(
  app: Services,
  tx: Tx,
  administrator: Administrator,
  uid: AssignmentUid,
  { version, from, to, places }: CallInput<typeof changeAssignment>['body'],
): Promise<void> {
  const { clientUid } = administrator
  await holdDirectory(tx, clientUid)
  const held = await findHeld(tx, administrator, uid)
  requireVersion(held, version)
  if (held.dateFrom !== from) await requireFree(tx, clientUid, held, from)
  const { locations } = await readPlaces(tx, clientUid, held.siteUid, places)
  const row = { uid, date_from: from, date_to: to, locations }
  const { left } = await save(app, tx, administrator, { assignments: [row] })
  if (left.length > 0) throw inEvent(held.siteName)
  await dropOpposite(tx, administrator, { assignmentUid: uid })
}

/** An offered or accepted assignment within reach. */
async function findHeld(tx: Tx, administrator: Administrator, uid: AssignmentUid): Promise<queries.StoredAssignment> {
  const found = await queries.findAssignment(tx, administrator.clientUid, within(administrator).assignment, uid)
  if (!found) throw new Refusal('not_found')
  if (found.state === 'declined' || found.state === 'withdrawn') throw new Refusal('invalid_transition')
  return found
}

async function requireFree(tx: Tx, clientUid: ClientUid, held: queries.StoredAssignment, from: string): Promise<void> {
  const { personUid, roleUid, siteUid } = held
  const same = await listSame(tx, clientUid, { people: [personUid], role: roleUid, site: siteUid, from })
  if (same.length > 0) throw new Refusal('taken', 'Another assignment already starts on this day.', ['from'])
}

/** Withdraws an offered or accepted assignment. While its warden is on duty the change waits. */
export async function withdraw(
  tx: Tx,
  administrator: Administrator,
  uid: AssignmentUid,
  text: string,
): Promise<'done' | 'waiting'> {
  const { clientUid, personUid } = administrator
  const reason = readReason(text)
  const held = await findHeld(tx, administrator, uid)
  const outcome = await endHeldAssignment(tx, journalAdministrator(administrator), { clientUid, uid, reason })
  if (outcome === 'over') throw new Refusal('invalid_transition')
  if (outcome === 'ended') return 'done'
  const wish = { clientUid, kind: 'assignment_end', personUid: held.personUid, assignmentUid: uid, reason } as const
  await putOff(tx, { ...wish, byPersonUid: personUid })
  return 'waiting'
}

function readReason(text: string): string {
  const reason = text.trim()
  const length = [...reason].length
  if (length >= 1 && length <= longestReason) return reason
  throw new Refusal('invalid_request', `Give a reason of 1 to ${longestReason} characters.`, ['reason'])
}
