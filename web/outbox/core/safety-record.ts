import type { Calls } from '#features/calls.ts'
import type { ErrorCode } from '#kernel/errors.ts'
import type { AssignmentUid, EventUid, FloorUid, PersonUid, SignInUid } from '#kernel/ids.ts'
import type { CallInput, CallReply } from '#kernel/route.ts'

/** The records that go through the outbox: of safety, and what someone noted of the event. Phones store these names and the field names below: a renamed one strands records. */
export const recordCalls = {
  personStatus: 'POST /api/floor/evacuation/person/status',
  evacueeStatus: 'POST /api/evacuee/safety/status',
  wardenStatus: 'POST /api/floor/evacuation/warden/status',
  refusal: 'POST /api/floor/evacuation/refusal',
  floorStatus: 'POST /api/floor/evacuation/floor/status',
  note: 'POST /api/event/records/:eventUid/entries',
} as const
export type RecordKind = keyof typeof recordCalls

export type NoteBody = Extract<
  CallInput<Calls[(typeof recordCalls)['note']]>['body'],
  { kind: 'observation' | 'checklist' }
>
interface Bodies {
  personStatus: CallInput<Calls[(typeof recordCalls)['personStatus']]>['body']
  evacueeStatus: CallInput<Calls[(typeof recordCalls)['evacueeStatus']]>['body']
  wardenStatus: CallInput<Calls[(typeof recordCalls)['wardenStatus']]>['body']
  refusal: CallInput<Calls[(typeof recordCalls)['refusal']]>['body']
  floorStatus: CallInput<Calls[(typeof recordCalls)['floorStatus']]>['body']
  note: NoteBody
}
interface Replies {
  personStatus: CallReply<Calls[(typeof recordCalls)['personStatus']]>
  evacueeStatus: CallReply<Calls[(typeof recordCalls)['evacueeStatus']]>
  wardenStatus: CallReply<Calls[(typeof recordCalls)['wardenStatus']]>
  refusal: CallReply<Calls[(typeof recordCalls)['refusal']]>
  floorStatus: CallReply<Calls[(typeof recordCalls)['floorStatus']]>
  note: CallReply<Calls[(typeof recordCalls)['note']]>
}
interface Intents {
  personStatus: null
  evacueeStatus: null
  wardenStatus: null
  /** The refusal that the warden intends, because the call only flips it. */
  refusal: boolean
  /** The name of the status, for who reads that it was rejected. */
  floorStatus: string
  note: null
}

/** Whom the record is about, or which floor or event. */
interface About<K extends RecordKind> {
  id: K extends 'floorStatus' ? FloorUid : K extends 'note' ? EventUid : PersonUid
  name: string
}

/** What a screen hands over. `about` shows pending and rejected records without the list they came from. */
export type NewRecord = {
  [K in RecordKind]: { kind: K; body: Bodies[K]; wish: Intents[K]; about: About<K> }
}[RecordKind]

/** Why a record was rejected: an error code of the server, or a reason that the phone finds. */
export type RejectionReason = ErrorCode | 'superseded' | 'overruled' | 'before_event' | 'other_event'

interface Stamp {
  /** Idempotency key, the same for every try of this record. */
  key: string
  owner: PersonUid
  /** Shown on the login page, where no one is signed in. */
  ownerName: string | null
  /** The participation in which it was recorded. The record is never sent in another event (`standingOf`). */
  signIn: SignInUid | null
  /** The role in which it was recorded. */
  assignment: AssignmentUid | null
  /** The time of the observation in milliseconds on this phone's clock. */
  observedAt: number
  /** False while the record cannot have reached the server. Until then it can be taken back without a trace. */
  tried: boolean
  /** Why it was rejected. Absent while it is pending. */
  setback?: RejectionReason
}
/** A record before the storage has numbered it. Numbers follow the order of the taps. */
export type UnnumberedRecord = NewRecord & Stamp
export type OutboxRecord = UnnumberedRecord & { seq: number }

export const isPending = (record: OutboxRecord) => record.setback === undefined

/** The floor where the person was seen, if the record names it. */
export const floorOf = ({ kind, body }: OutboxRecord) =>
  kind === 'personStatus' ? body.floorId : kind === 'wardenStatus' ? body.floor : null

/** An acknowledged record with its reply, for the lists on screen. */
export type SentRecord = { [K in RecordKind]: { record: OutboxRecord & { kind: K }; reply: Replies[K] } }[RecordKind]

/** How the sending of a record ended. Rejected without a reason: it is kept in the record of its event. */
export type Answer = { acknowledged: SentRecord } | { rejected: RejectionReason | null }
/**
 * `stuck`: the server failed on this record, but others may succeed. `not now`: no record can be sent, because the server
 * does not answer or the warden is not on duty.
 */
export type Delivery = Answer | 'stuck' | 'not now'
