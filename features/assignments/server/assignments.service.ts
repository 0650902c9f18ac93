import { lockSite } from '#features/events/server/event.queries.ts'
import {
  isOnDutyAt,
  joinRunningEvent,
  leaveRunningEvent,
  toldPlace,
} from '#features/events/server/event-wardens.service.ts'
import { noteListed } from '#features/peeps/server/access/peeps-in-lists.service.ts'
import type { AssignmentUid, ClientUid } from '#kernel/ids.ts'
import { longestReason } from '#kernel/limits.ts'
import type { CallAnswer } from '#kernel/route.ts'
import type { Db, Tx } from '#server/platform/db/db.ts'
import { type JournalActor, record } from '#server/platform/db/journal.ts'
import { Refusal } from '#server/platform/errors.ts'
import type { Actor } from '#server/wardens/actor.ts'
import type { AssignmentStatusInput, PeepEntry, updateAssignmentStatus } from '../calls/assignments.ts'
import {
  type AssignmentStatus,
  findOwnAssignment,
  findSiteOf,
  listAreaPeeps,
  lockStatus,
  type OwnAssignment,
  setStatus,
} from './assignments.queries.ts'

/**
 * An assignment of the session. Throws `not_found` for any other. A session of a report-in link has only the
 * link's assignment, as at rejoin.
 */
export async function getOwnAssignment(system: Db, actor: Actor, assignmentUid: AssignmentUid): Promise<OwnAssignment> {
  const isBeyondLink = actor.linkSignInUid !== null && actor.assignment?.uid !== assignmentUid
  const own = isBeyondLink ? undefined : await findOwnAssignment(system, actor.accountUids, assignmentUid)
  if (!own) throw new Refusal('not_found')
  return own
}

/** Only for a person who is offered or holds the role, because PEEPs are health data. */
export async function presentPeeps(tx: Tx, actor: Actor, own: OwnAssignment): Promise<PeepEntry[]> {
  if (!own.isOpen) throw new Refusal('not_found')
  const rows = await listAreaPeeps(tx, own.uid)
  // an event that runs elsewhere has no one in the list
  if (own.clientUid === actor.clientUid)
    await noteListed(
      tx,
      { ...actor, assignment: own },
      // where they are in the event is for it to say
      rows.map(({ personUid }) => ({ id: personUid, floor: null })),
    )
  return rows.map(({ person, floor, summary }) => ({ Person: person, PEEP_Floor: floor, PEEP_Summary: summary }))
}

/** The statuses that may follow each status. */
const next: Record<AssignmentStatus, readonly AssignmentStatus[]> = {
  Offered: ['Accepted', 'Declined', 'Withdrawn'],
  Accepted: ['Withdrawn'],
  Declined: [],
  Withdrawn: [],
}

/** Accepts, declines or withdraws, and joins or leaves the running event. */
export async function answerAssignment(
  tx: Tx,
  actor: Actor,
  own: OwnAssignment,
  input: AssignmentStatusInput,
): Promise<CallAnswer<typeof updateAssignmentStatus>> {
  const status = input.Assignment_Status
  const note = status === 'Accepted' ? null : readNote(input)
  await lockSite(tx, own.siteUid)
  const before = await lockStatus(tx, own.uid)
  if (!next[before].includes(status)) throw new Refusal('invalid_transition')
  await setStatus(tx, own.uid, status, note)
  const settle = status === 'Accepted' ? joinRunningEvent : leaveRunningEvent
  const place = await settle(tx, own)
  await record(tx, journalOwner(actor, own), {
    action: 'assignment_changed',
    subjectType: 'warden_assignment',
    subjectUid: own.uid,
    eventUid: place?.eventUid ?? null,
    before: { status: before },
    // the reason may be about someone's health, so only the assignment stores it
    after: { status, ...(place && toldPlace(place)) },
  })
  return { success: true }
}

/**
 * Withdraws an offered or accepted assignment with a reason, unless its warden is on duty. `over`: it has been
 * declined or withdrawn already.
 */
export async function endHeldAssignment(
  tx: Tx,
  actor: JournalActor,
  { clientUid, uid, reason }: { clientUid: ClientUid; uid: AssignmentUid; reason: string },
): Promise<'ended' | 'on_duty' | 'over'> {
  const siteUid = await findSiteOf(tx, clientUid, uid)
  if (!siteUid) return 'over'
  await lockSite(tx, siteUid)
  const before = await lockStatus(tx, uid)
  if (!next[before].includes('Withdrawn')) return 'over'
  if (await isOnDutyAt(tx, siteUid, uid)) return 'on_duty'
  await setStatus(tx, uid, 'Withdrawn', reason)
  const place = await leaveRunningEvent(tx, { siteUid, uid })
  await record(tx, actor, {
    action: 'assignment_changed',
    subjectType: 'warden_assignment',
    subjectUid: uid,
    eventUid: place?.eventUid ?? null,
    before: { status: before },
    after: { status: 'Withdrawn', ...(place && toldPlace(place)) },
  })
  return 'ended'
}

function readNote({ Assignment_Declined_Note }: AssignmentStatusInput): string {
  const note = Assignment_Declined_Note?.trim() ?? ''
  const length = [...note].length
  if (length >= 1 && length <= longestReason) return note
  throw new Refusal('invalid_request', `Give a reason of 1 to ${longestReason} characters.`, [
    'body/Assignment_Declined_Note',
  ])
}

/** The person of the assignment. The session may currently act for another client. */
const journalOwner = (actor: Actor, { clientUid, personUid }: OwnAssignment) => ({
  clientUid,
  personUid,
  signInUid: actor.clientUid === clientUid ? (actor.signIn?.uid ?? null) : null,
  sessionUid: actor.sessionUid,
})
