import type { Calls } from '@evac/contract/calls.ts'
import type { ErrorCode } from '@evac/contract/errors.ts'
import type { AssignmentUid, PersonUid, SignInUid } from '@evac/contract/ids.ts'
import type { CallInput, CallReply } from '@evac/contract/route.ts'
import type { StoredAuth } from '../session/stored-auth.ts'

/** The safety records that go through the outbox. They lie on phones under these names: renaming one would strand them. */
export const recordCalls = {
  personStatus: 'POST /api/floor/evacuation/person/status',
  evacueeStatus: 'POST /api/evacuee/safety/status',
  wardenStatus: 'POST /api/floor/evacuation/warden/status',
  refusal: 'POST /api/floor/evacuation/refusal',
} as const
export type RecordKind = keyof typeof recordCalls

interface Bodies {
  personStatus: CallInput<Calls[(typeof recordCalls)['personStatus']]>['body']
  evacueeStatus: CallInput<Calls[(typeof recordCalls)['evacueeStatus']]>['body']
  wardenStatus: CallInput<Calls[(typeof recordCalls)['wardenStatus']]>['body']
  refusal: CallInput<Calls[(typeof recordCalls)['refusal']]>['body']
}
interface Replies {
  personStatus: CallReply<Calls[(typeof recordCalls)['personStatus']]>
  evacueeStatus: CallReply<Calls[(typeof recordCalls)['evacueeStatus']]>
  wardenStatus: CallReply<Calls[(typeof recordCalls)['wardenStatus']]>
  refusal: CallReply<Calls[(typeof recordCalls)['refusal']]>
}
interface Wishes {
  personStatus: null
  evacueeStatus: null
  wardenStatus: null
  /** What the warden meant: the call itself only flips. */
  refusal: boolean
}

/** What a screen hands over. `about` lets the waiting and the refused be shown without the list they came from. */
export type NewRecord = {
  [K in RecordKind]: { kind: K; body: Bodies[K]; wish: Wishes[K]; about: { id: PersonUid; name: string } }
}[RecordKind]

/** Why a record will not be sent any more, although it was not taken as it stands. */
export type Setback = ErrorCode | 'superseded' | 'before_event' | 'other_event'

interface Stamp {
  /** Idempotency key: every try of this record carries the same. */
  key: string
  owner: PersonUid
  /** For /login, where nobody is signed in. */
  ownerName: string | null
  /** The warden's place in the event it was noted for; another event must never take it (see standingOf). */
  signIn: SignInUid | null
  /** The role it was noted in. */
  assignment: AssignmentUid | null
  /** When the warden saw it, milliseconds on this phone's clock. */
  observedAt: number
  /** False while no try of it can have reached the server: until then it can be taken back as if it had never been. */
  tried: boolean
  /** Absent while it waits to be sent. */
  setback?: Setback
}
/** A record on its way into IndexedDB, which numbers the records in the order of the taps. */
export type UnnumberedRecord = NewRecord & Stamp
export type OutboxRecord = UnnumberedRecord & { seq: number }

/** Where the person was seen, as far as the record says. */
export const floorOf = ({ kind, body }: OutboxRecord) =>
  kind === 'personStatus' ? body.floorId : kind === 'wardenStatus' ? body.floor : null

/** What the server made of a record, for the lists on screen. */
export type SentRecord = { [K in RecordKind]: { record: OutboxRecord & { kind: K }; reply: Replies[K] } }[RecordKind]

export const isWaiting = (record: OutboxRecord) => record.setback === undefined

type Acting = Pick<StoredAuth, 'WardenSignInUID' | 'Warden_Assignment_UID' | 'on_duty'>

/**
 * May it be sent by who is signed in as this? `foreign`: never, it was noted in another event or another role, and today's
 * event must not learn yesterday's "safe". `later`: a sign-in begins with any one of the warden's roles, and the one of the
 * record may be rejoined.
 */
export function standingOf({ signIn, assignment }: OutboxRecord, now: Acting): 'own' | 'later' | 'foreign' {
  if (signIn === null || signIn === now.WardenSignInUID) return 'own'
  if (assignment === now.Warden_Assignment_UID) return now.WardenSignInUID === null ? 'own' : 'foreign'
  return now.on_duty ? 'foreign' : 'later'
}

/**
 * The server flips a refusal, it does not set it. Where somebody else had noted the same meanwhile, our flip has taken it
 * back and must be done once more; unless a later tap for this person waits, which then decides.
 */
export function isReversed({ record, reply }: SentRecord, all: readonly OutboxRecord[]): boolean {
  if (record.kind !== 'refusal' || !('action' in reply) || !['add', 'sub'].includes(reply.action)) return false
  const isLater = (other: OutboxRecord) =>
    other.kind === 'refusal' && isWaiting(other) && other.about.id === record.about.id && other.seq > record.seq
  return record.wish !== (reply.action === 'add') && !all.some(isLater)
}
