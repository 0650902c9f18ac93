import { setFloorStatus, setPersonStatus, toggleRefusal } from '#features/evacuation/calls/evacuation.ts'
import { setStatusOnFloor } from '#features/evacuation/calls/floor-overview.ts'
import { setEvacueeStatus } from '#features/evacuation/calls/safety.ts'
import { recordBeside } from '#features/log/server/people/record-beside.service.ts'
import type { ErrorCode } from '#kernel/errors.ts'
import type { CallAnswer, CallContract, CallInput } from '#kernel/route.ts'
import { readSafetyStatus } from '#kernel/vocabulary.ts'
import { fingerprintOf } from '#server/http/idempotency.ts'
import type { Tx } from '#server/platform/db/db.ts'
import type { JournalEntry } from '#server/platform/db/journal.ts'
import { Refusal } from '#server/platform/errors.ts'
import { type Actor, journalActor } from '#server/wardens/actor.ts'
import type { LateRecord, sendLateRecords } from '../../calls/late.ts'
import * as queries from './late.queries.ts'

/** Records are kept for so long after the end. */
const latestMs = 72 * 3_600_000

/** The longest time from sending to reading that counts as none. */
const requestMs = 5_000

/** The call that would have taken a record, for the module that it needs. */
const callOf: Record<LateRecord['kind'], CallContract> = {
  personStatus: setPersonStatus,
  evacueeStatus: setEvacueeStatus,
  wardenStatus: setStatusOnFloor,
  refusal: toggleRefusal,
  floorStatus: setFloorStatus,
}

interface Late {
  late: LateRecord
  seenAt: Date
}

/**
 * Keeps what a phone could not send before the end, as entries of the journal. No state changes. Each record is kept
 * once, however often it is sent, and not at all if the server took it during the event.
 */
export async function keepLate(
  tx: Tx,
  actor: Actor,
  { WardenSignInUID: signInUid, records }: CallInput<typeof sendLateRecords>['body'],
  sentAt: Date | null,
): Promise<CallAnswer<typeof sendLateRecords>> {
  const took = await queries.findTook(tx, actor, signInUid)
  if (!took) throw new Refusal('not_found')
  const now = took.now.getTime()
  const all = records.map((late) => {
    const ago = (sentAt?.getTime() ?? now) - Date.parse(late.observed_at)
    return { late, seenAt: withinEvent(took, now - ago) }
  })
  const problemOf = await judge(tx, took, all)
  const judged = all.map((one) => ({ ...one, error: problemOf(one) }))
  const taken = judged.filter(({ error }) => error === undefined)
  // in one order, so that requests with the same keys wait for each other instead of both
  const keyed = [...new Map(taken.map(({ late }) => [late.key, late])).values()].toSorted((a, b) =>
    a.key < b.key ? -1 : 1,
  )
  const fresh = await queries.claimKeys(
    tx,
    actor.personUid,
    keyed.map((late) => ({ key: late.key, fingerprint: fingerprintOf('POST', 'late-records', late) })),
  )
  const entries = taken.filter(({ late }) => fresh.delete(late.key)).map((one) => entryOf(took, one))
  if (entries.length > 0) await recordBeside(tx, { ...journalActor(actor), signInUid }, entries)
  return {
    kept: [...new Set(taken.map(({ late }) => late.key))],
    refused: judged.flatMap(({ late: { key }, error }) => (error ? [{ key, error }] : [])),
  }
}

/** A time within the event stays there, though the request itself took a moment. */
function withinEvent({ endedAt }: queries.Took, seenMs: number): Date {
  const end = endedAt?.getTime() ?? Number.POSITIVE_INFINITY
  return new Date(seenMs > end && seenMs <= end + requestMs ? end : seenMs)
}

/** Tells why a record is not kept. Undefined: it is. */
async function judge(tx: Tx, took: queries.Took, all: readonly Late[]) {
  const { startedAt, endedAt, now, modules } = took
  const attendance = await queries.listOwnAttendance(tx, took)
  const known = await queries.findNamed(tx, took, {
    persons: all.flatMap(({ late }) => ('person' in late ? [late.person] : [])),
    floors: all.flatMap(({ late }) => ('floor' in late && late.floor ? [late.floor] : [])),
    statuses: all.flatMap(({ late }) => (late.kind === 'floorStatus' ? [late.floor_status] : [])),
  })
  return ({ late, seenAt }: Late): ErrorCode | undefined => {
    if (!endedAt) return 'invalid_transition'
    if (now.getTime() > endedAt.getTime() + latestMs || seenAt < startedAt || seenAt > endedAt) return 'no_event'
    if (!attendance.findLast(({ at }) => at <= seenAt)?.isOnDuty) return 'not_on_duty'
    if (!modules.includes(moduleOf(late))) return 'forbidden'
    if ('status' in late && !readSafetyStatus(late.status)) return 'invalid_request'
    return namesOf(late).every((uid) => known.has(uid)) ? undefined : 'not_found'
  }
}

const namesOf = (late: LateRecord): string[] =>
  late.kind === 'floorStatus' ? [late.floor, late.floor_status] : [late.person, ...(late.floor ? [late.floor] : [])]

function moduleOf({ kind }: LateRecord): string {
  const { policy } = callOf[kind]
  return policy.access === 'duty' && policy.flag ? policy.flag.replace('Module_', '') : ''
}

function entryOf({ eventUid }: queries.Took, { late, seenAt }: Late): JournalEntry {
  const entry = { action: 'late_record', eventUid, observedAt: seenAt, key: late.key } as const
  if (late.kind === 'floorStatus')
    return {
      ...entry,
      subjectType: 'floor',
      subjectUid: late.floor,
      after: { floor_status_uid: late.floor_status },
    }
  const floor = late.floor ? { floor_uid: late.floor } : {}
  const of = { ...entry, subjectType: 'evacuee', subjectUid: late.person } as const
  if (late.kind === 'refusal') return { ...of, after: { refused: late.refused, ...floor } }
  const { status = 'unknown', onFloor = false } = readSafetyStatus(late.status) ?? {}
  return { ...of, after: { status, on_floor: onFloor, ...floor } }
}
