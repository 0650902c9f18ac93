import type {
  AssignmentUid,
  BuildingUid,
  ClientUid,
  EventUid,
  FloorUid,
  PersonUid,
  SignInUid,
  SiteUid,
} from '@evac/contract/ids.ts'
import type { Attendance, ModuleFlag, SignInMethod } from '@evac/contract/vocabulary.ts'
import { Refusal } from '../platform/errors.ts'

/** Who makes this request, read from the database on every request; nothing is cached. */
export interface Actor {
  sessionUid: string
  /** The session's own account first, then those of the same person elsewhere that the sign-in proved, too (AMB-038). */
  accountUids: readonly [string, ...string[]]
  clientUid: ClientUid
  personUid: PersonUid
  signInMethod: SignInMethod
  isReportInToken: boolean
  /** The sign-in that a report-in-link session is for, and ends with; null for any other session. */
  linkSignInUid: SignInUid | null
  expiresAt: Date
  smsAllowed: boolean
  /** The current assignment (AMB-040); null when the person's last one has gone. */
  assignment: ActorAssignment | null
  /** The active event at the assignment's site that covers the assignment. */
  event: { uid: EventUid } | null
  signIn: { uid: SignInUid; attendance: Attendance; reportedIn: boolean } | null
  selectedBuildingUid: BuildingUid | null
  selectedFloorUid: FloorUid | null
}

export interface ActorAssignment {
  uid: AssignmentUid
  siteUid: SiteUid
  areaDomain: 'Site' | 'Building' | 'Floor' | 'Area'
  /** Accepted and in date today at the site, or on duty since it was; only then do flags count (AMB-043). */
  isCurrent: boolean
  modules: readonly string[]
}

/** A warden on duty in the active event: the only ones who read or change event data (AMB-149). */
export interface DutyActor extends Actor {
  assignment: ActorAssignment
  event: { uid: EventUid }
  signIn: { uid: SignInUid; attendance: 'on_duty'; reportedIn: boolean }
}

export function hasFlag(actor: Actor, flag: ModuleFlag): boolean {
  return actor.assignment?.isCurrent === true && actor.assignment.modules.includes(flag.replace('Module_', ''))
}

/** Why the actor may not take part in an event right now; undefined when on duty with an assignment that still counts. */
export function absence(actor: Actor): 'no_event' | 'not_on_duty' | undefined {
  if (!actor.event || !actor.assignment) return 'no_event'
  return actor.assignment.isCurrent && actor.signIn?.attendance === 'on_duty' ? undefined : 'not_on_duty'
}

/** The actor as one on duty. Throws `no_event` or `not_on_duty`. */
export function onDuty(actor: Actor): DutyActor {
  const reason = absence(actor)
  if (reason) throw new Refusal(reason)
  return actor as DutyActor
}

/** How the journal names the actor. */
export const journalActor = (actor: Actor) => ({
  clientUid: actor.clientUid,
  personUid: actor.personUid,
  signInUid: actor.signIn?.uid ?? null,
})
