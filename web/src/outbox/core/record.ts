import type { ErrorCode } from '@evac/contract/errors.ts'
import { setPersonStatus, toggleRefusal } from '@evac/contract/evacuation.ts'
import { setStatusOnFloor } from '@evac/contract/floor-overview.ts'
import type { AssignmentUid, PersonUid, SignInUid } from '@evac/contract/ids.ts'
import type { CallInput, CallReply } from '@evac/contract/route.ts'
import { setEvacueeStatus } from '@evac/contract/safety.ts'

/** The safety records that go through the outbox. They lie on phones under these names: renaming one would strand them. */
export const recordCalls = {
  personStatus: setPersonStatus,
  evacueeStatus: setEvacueeStatus,
  wardenStatus: setStatusOnFloor,
  refusal: toggleRefusal,
} as const
export type RecordKind = keyof typeof recordCalls

interface Bodies {
  personStatus: CallInput<typeof setPersonStatus>['body']
  evacueeStatus: CallInput<typeof setEvacueeStatus>['body']
  wardenStatus: CallInput<typeof setStatusOnFloor>['body']
  refusal: CallInput<typeof toggleRefusal>['body']
}
interface Replies {
  personStatus: CallReply<typeof setPersonStatus>
  evacueeStatus: CallReply<typeof setEvacueeStatus>
  wardenStatus: CallReply<typeof setStatusOnFloor>
  refusal: CallReply<typeof toggleRefusal>
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

/** Why a record was rejected: an error code of the server, or what the phone found. */
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
  /** Why it was rejected; absent while it is pending. */
  setback?: Setback
}
/** A record on its way into the storage, which numbers the records in the order of the taps. */
export type UnnumberedRecord = NewRecord & Stamp
export type OutboxRecord = UnnumberedRecord & { seq: number }

/** Where the person was seen, as far as the record says. */
export const floorOf = ({ kind, body }: OutboxRecord) =>
  kind === 'personStatus' ? body.floorId : kind === 'wardenStatus' ? body.floor : null

/** A record with the answer that acknowledged it, for the lists on screen. */
export type SentRecord = { [K in RecordKind]: { record: OutboxRecord & { kind: K }; reply: Replies[K] } }[RecordKind]
