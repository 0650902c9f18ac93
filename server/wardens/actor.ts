import type {
  AssignmentUid,
  BuildingUid,
  ClientUid,
  EventUid,
  FloorUid,
  PersonUid,
  SignInUid,
  SiteUid,
} from '#kernel/ids.ts'
import type { Attendance, EventKind, ModuleFlag, SignInMethod } from '#kernel/vocabulary.ts'
import { Refusal } from '../platform/errors.ts'

/** Who makes this request. Read from the database on every request and never cached. */
export interface Actor {
  sessionUid: string
  /**
   * The session's own account first, then accounts of the same person elsewhere that the sign-in also proved.
   */
  accountUids: readonly [string, ...string[]]
  clientUid: ClientUid
  personUid: PersonUid
  signInMethod: SignInMethod
  isReportInToken: boolean
  /** The participation that a report-in-link session is for; the session ends with it. Null for other sessions. */
  linkSignInUid: SignInUid | null
  expiresAt: Date
  smsAllowed: boolean
  /** The current assignment. Null if the person has none left. */
  assignment: ActorAssignment | null
  /** The active event at the assignment's site that covers the assignment. */
  event: ActorEvent | null
  signIn: { uid: SignInUid; attendance: Attendance; reportedIn: boolean } | null
  selectedBuildingUid: BuildingUid | null
  selectedFloorUid: FloorUid | null
}

export interface ActorEvent {
  uid: EventUid
  kind: EventKind
  /** When the drill became live, until the warden on duty has said that they read it. */
  liveUnseen: Date | null
}

export interface ActorAssignment {
  uid: AssignmentUid
  siteUid: SiteUid
  /** The site's, by its IANA name. */
  timezone: string
  areaDomain: 'Site' | 'Building' | 'Floor' | 'Area'
  /**
   * True if the assignment is accepted and in date today at the site, or was when its warden went on duty. Flags count
   * only then.
   */
  isCurrent: boolean
  modules: readonly string[]
}

/** A warden on duty in the active event. Only duty actors read or change event data. */
export interface DutyActor extends Actor {
  assignment: ActorAssignment
  event: ActorEvent
  signIn: { uid: SignInUid; attendance: 'on_duty'; reportedIn: boolean }
}

export function hasFlag(actor: Actor, flag: ModuleFlag): boolean {
  return actor.assignment?.isCurrent === true && actor.assignment.modules.includes(flag.replace('Module_', ''))
}

/** A warden of an event who acts by a phone, or by a key in a call, which has no session. */
export interface Acting extends Pick<Actor, 'clientUid' | 'personUid'> {
  event: Pick<ActorEvent, 'uid'>
  signIn: { uid: SignInUid }
  sessionUid: string | null
}

/** Why the actor may not take part in an event now. Undefined if on duty with a current assignment. */
export function absence(actor: Actor): 'no_event' | 'not_on_duty' | undefined {
  if (!actor.event || !actor.assignment) return 'no_event'
  return actor.assignment.isCurrent && actor.signIn?.attendance === 'on_duty' ? undefined : 'not_on_duty'
}

/** Returns the actor as one on duty. Throws `no_event` or `not_on_duty`. */
export function onDuty(actor: Actor): DutyActor {
  const reason = absence(actor)
  if (reason) throw new Refusal(reason)
  return actor as DutyActor
}

/** The actor as the journal stores it. */
export const journalActor = (
  actor: Pick<Actor, 'clientUid' | 'personUid'> & { signIn: { uid: SignInUid } | null; sessionUid: string | null },
) => ({
  clientUid: actor.clientUid,
  personUid: actor.personUid,
  signInUid: actor.signIn?.uid ?? null,
  sessionUid: actor.sessionUid,
})
