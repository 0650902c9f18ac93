import type { EventAction } from '#features/live-updates/actions.ts'
import type { ClientUid, SignInUid } from '#kernel/ids.ts'
import type { CallAnswer, CallReply } from '#kernel/route.ts'
import { findOwnEarlierReply, once } from '#server/http/idempotency.ts'
import type { UnguardedWrite } from '#server/http/serve.ts'
import type { Services } from '#server/http/services.ts'
import { type Db, inClients, type Tx } from '#server/platform/db/db.ts'
import { record, recordAll } from '#server/platform/db/journal.ts'
import { Refusal } from '#server/platform/errors.ts'
import { type Actor, journalActor } from '#server/wardens/actor.ts'
import type { AttendanceError, markNotAvailable, markOnDuty, reportIn } from '../calls/report-in.ts'
import {
  findOwnSignIn,
  type LockedSignIn,
  listDuties,
  listManagersOnDuty,
  lockActiveEvent,
  lockOpenSignIn,
  ownReportIns,
  setNotAvailable,
  setOffDuty,
  setOnDuty,
} from './report-in.queries.ts'

const why: Record<AttendanceError, string> = {
  no_current_event: 'There is no current event for this assignment.',
  assignment_not_current: 'Your assignment is not current.',
  already_on_duty: 'You are on duty. Use Go Off Duty to leave the event.',
}
/** Sent with status 200, so that a popup can show it. */
const turnedDown = (error: AttendanceError) => ({ error, message: why[error] })

const onDutyNow = { status: 'On Duty', message: 'You have been reported as on duty.' } as const

/** Reports in with the current assignment in one statement. If that changes nothing, the ordinary way follows. */
export async function reportOwnIn(
  { db, inBatch }: Pick<Services, 'db' | 'inBatch'>,
  { tokenHash, key, fingerprint, guard }: UnguardedWrite<typeof reportIn>,
): Promise<CallAnswer<typeof reportIn>> {
  const done = { success: true as const, ...onDutyNow }
  const request = { key, fingerprint, reply: JSON.stringify(done) }
  const own = tokenHash && (await inBatch(ownReportIns, { tokenHash, ...request }))
  if (own?.claimed) return done
  const earlier = own && (await findOwnEarlierReply<typeof done>(inBatch, { tokenHash, key, fingerprint }))
  if (earlier) return earlier

  const actor = await guard()
  const write = key === null ? undefined : { personUid: actor.personUid, key, fingerprint }
  const ordinary = async (tx: Tx) => {
    const change = await goOnDuty(tx, actor, actor.signIn?.uid)
    return 'error' in change ? change : { success: true as const, ...change }
  }
  return inClients(db, [actor.clientUid], (tx) => once(tx, write, () => ordinary(tx)))
}

/** Goes on duty from any state. Already being on duty is a success. */
export async function goOnDuty(
  tx: Tx,
  actor: Actor,
  signInUid: SignInUid | undefined,
): Promise<CallReply<typeof markOnDuty>> {
  const signIn = signInUid && (await lockOpenSignIn(tx, signInUid))
  if (!signIn) return turnedDown('no_current_event')
  if (!signIn.isCurrent) return turnedDown('assignment_not_current')
  if (signIn.attendance !== 'on_duty') {
    await setOnDuty(tx, signIn.uid)
    await journalAttendance(tx, actor, signIn, signIn.wasOnDuty ? 'warden_rejoined' : 'warden_reported_in', 'on_duty')
  }
  return onDutyNow
}

/** Not allowed while on duty. */
export async function goNotAvailable(
  tx: Tx,
  actor: Parameters<typeof journalActor>[0],
  signInUid: SignInUid | undefined,
): Promise<CallReply<typeof markNotAvailable>> {
  const signIn = signInUid && (await lockOpenSignIn(tx, signInUid))
  if (!signIn) return turnedDown('no_current_event')
  if (!signIn.isCurrent) return turnedDown('assignment_not_current')
  if (signIn.attendance === 'on_duty') return turnedDown('already_on_duty')
  if (signIn.attendance !== 'not_available') {
    await setNotAvailable(tx, signIn.uid)
    await journalAttendance(tx, actor, signIn, 'warden_not_available', 'not_available')
  }
  return { status: 'Not Available', message: 'You have been reported as not available.' }
}

/**
 * The clients affected by a sign-out: the session's own, and those of its other cards that are on duty. A session of a
 * report-in link affects only its own card.
 */
export async function clientsLeft(system: Db, { accountUids, clientUid, linkSignInUid }: Actor): Promise<ClientUid[]> {
  const duties = linkSignInUid === null ? await listDuties(system, accountUids, null, null) : []
  return [...new Set([clientUid, ...duties.map((duty) => duty.clientUid)])]
}

/**
 * Goes off duty at sign-out with all cards of the session, or with the card of its link. The last
 * on-duty manager of an event may not leave: returns false. A lock on the event makes two managers take turns.
 */
export async function goOffDuty(tx: Tx, actor: Actor, clientUids: readonly ClientUid[]): Promise<boolean> {
  const duties = await listDuties(tx, actor.accountUids, clientUids, actor.linkSignInUid)
  for (const { eventUid, personUid } of duties) {
    if (!(await lockActiveEvent(tx, eventUid))) continue
    const managers = await listManagersOnDuty(tx, eventUid)
    if (managers.length === 1 && managers[0] === personUid) return false
  }
  const left = await setOffDuty(tx, duties, actor.linkSignInUid)
  await recordAll(
    tx,
    left.map(({ uid, clientUid, eventUid, personUid }) => ({
      actor: { clientUid, personUid, signInUid: uid, sessionUid: actor.sessionUid },
      action: 'warden_off_duty',
      subjectType: 'sign_in',
      subjectUid: uid,
      eventUid,
      after: { attendance: 'off_duty' },
    })),
  )
  return true
}

/**
 * The client of a participation of this session. Throws `not_found` for any other. A session of a
 * report-in link has only the link's participation, as at rejoin.
 */
export async function getOwnSignIn(system: Db, actor: Actor, signInUid: SignInUid) {
  const isBeyondLink = actor.linkSignInUid !== null && actor.linkSignInUid !== signInUid
  const own = isBeyondLink ? undefined : await findOwnSignIn(system, actor.accountUids, signInUid)
  if (!own) throw new Refusal('not_found')
  return own
}

function journalAttendance(
  tx: Tx,
  actor: Parameters<typeof journalActor>[0],
  signIn: LockedSignIn,
  action: EventAction,
  now: 'on_duty' | 'not_available',
) {
  return record(
    tx,
    { ...journalActor(actor), personUid: signIn.personUid, signInUid: signIn.uid },
    {
      action,
      subjectType: 'sign_in',
      subjectUid: signIn.uid,
      eventUid: signIn.eventUid,
      before: { attendance: signIn.attendance },
      after: { attendance: now },
    },
  )
}
