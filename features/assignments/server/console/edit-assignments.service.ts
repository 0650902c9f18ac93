import { holdDirectory } from '#features/directory/server/change-directory.service.ts'
import type { AssignmentUid, ClientUid } from '#kernel/ids.ts'
import { longestReason } from '#kernel/limits.ts'
import type { CallAnswer, CallInput } from '#kernel/route.ts'
import { type Administrator, journalAdministrator } from '#server/administrators/administrator.ts'
import { presentPage, readSort, readSpan, requireFile, requireSortable } from '#server/administrators/list-page.ts'
import { within } from '#server/administrators/reach.ts'
import type { Services } from '#server/http/services.ts'
import { csvLine } from '#server/platform/csv.ts'
import type { Tx } from '#server/platform/db/db.ts'
import { record } from '#server/platform/db/journal.ts'
import { Refusal } from '#server/platform/errors.ts'
import { keyring } from '#server/platform/secrets.ts'
import type { AssignmentRow, changeAssignment, downloadAssignments, listAssignments } from '../../calls/wardens.ts'
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
  { after, before, sort: sorted, ...filters }: CallInput<typeof listAssignments>['query'],
): Promise<CallAnswer<typeof listAssignments>> {
  const { clientUid } = administrator
  const name = {
    seals: keyring(secrets, 'listKeys'),
    clientUid,
    list: ['assignments', sorted].filter(Boolean).join(' '),
  }
  const span = readSpan(name, { ...(after !== undefined && { after }), ...(before !== undefined && { before }) })
  const is = within(administrator).assignment
  if (!(await queries.areKnown(tx, administrator, filters))) throw new Refusal('not_found')
  const total = await queries.countAssignments(tx, clientUid, is, filters)
  const sort = readSort<queries.Sort['column']>(sorted)
  requireSortable(sort.column, total, 'assignments')
  const found = await queries.listAssignments(tx, clientUid, is, filters, span, sort)
  return presentPage(name, span, found, {
    keyOf: (row) => queries.keyOf(row, sort),
    present,
    total,
    now: clock.now(),
  })
}

const rowsOfChunk = 2_000
const headings = ['Last name', 'First name', 'Role', 'Site', 'Places', 'From', 'To', 'State']

/** The list as CSV. The caller answers after the commit, so that none leaves without its entry. */
export async function writeFile(
  tx: Tx,
  administrator: Administrator,
  { sort: sorted, ...filters }: CallInput<typeof downloadAssignments>['body'],
): Promise<CallAnswer<typeof downloadAssignments>> {
  const { clientUid } = administrator
  if (!(await queries.areKnown(tx, administrator, filters))) throw new Refusal('not_found')
  const is = within(administrator).assignment
  requireFile(await queries.countAssignments(tx, clientUid, is, filters))
  const sort = readSort<queries.Sort['column']>(sorted)
  const lines = [`\ufeff${csvLine(headings)}`]
  let key: string[] | null = null
  do {
    const span = { key, isBackwards: false, limit: rowsOfChunk }
    const rows = await queries.listAssignments(tx, clientUid, is, filters, span, sort)
    lines.push(...rows.map(lineOf))
    const last = rows.at(-1)
    key = last && rows.length === rowsOfChunk ? queries.keyOf(last, sort) : null
  } while (key)
  const { q: _, ...told } = filters
  await record(tx, journalAdministrator(administrator), {
    action: 'data_exported',
    subjectType: 'administrator',
    subjectUid: administrator.administratorUid,
    after: { list: 'assignments', assignments: lines.length - 1, ...told },
  })
  return { csv: lines.join('') }
}

const lineOf = ({ lastName, firstName, roleName, siteName, places, ...row }: queries.StoredAssignment) =>
  csvLine([
    ...[lastName, firstName, roleName, siteName, places.map(({ name }) => name).join('; ')],
    ...[row.dateFrom, row.dateTo, `${row.state.charAt(0).toUpperCase()}${row.state.slice(1)}`],
  ])

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
