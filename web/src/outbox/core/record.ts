import type { Calls } from '@evac/contract/calls/calls.ts'
import type { ErrorCode } from '@evac/contract/errors.ts'
import type { AssignmentUid, PersonUid, SignInUid } from '@evac/contract/ids.ts'
import type { CallInput, CallReply } from '@evac/contract/route.ts'

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
