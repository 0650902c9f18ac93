import { type Static, Type } from 'typebox'
import { errorCodes } from '#kernel/errors.ts'
import { FloorStatusUid, FloorUid, PersonUid, SignInUid } from '#kernel/ids.ts'
import { defineCall } from '#kernel/route.ts'
import { Instant } from '#kernel/vocabulary.schemas.ts'

const Closed = <P extends Type.TProperties>(properties: P) => Type.Object(properties, { additionalProperties: false })

const shared = {
  /** The idempotency key of the record: what the server has already taken is kept once. */
  key: Type.String({ format: 'uuid', maxLength: 36 }),
  /** By the phone's clock. The header x-sent-at says what that clock shows now. */
  observed_at: Instant,
}

/** A safety record that a phone could not send before the end of its event. The kinds are those of the phones. */
export type LateRecord = Static<typeof LateRecord>
export const LateRecord = Type.Union([
  Closed({
    ...shared,
    kind: Type.Enum(['personStatus', 'evacueeStatus', 'wardenStatus']),
    person: PersonUid,
    status: Type.String({ minLength: 1, maxLength: 20 }),
    floor: Type.Optional(FloorUid),
  }),
  Closed({ ...shared, kind: Type.Literal('refusal'), person: PersonUid, refused: Type.Boolean(), floor: FloorUid }),
  Closed({ ...shared, kind: Type.Literal('floorStatus'), floor: FloorUid, floor_status: FloorStatusUid }),
])

export const sendLateRecords = defineCall({
  summary: 'Keeps records that a phone sends within 72 h after the end of their event. No state changes',
  method: 'POST',
  path: '/api/v2/warden/late-records',
  body: Closed({
    /** The participation in which they were seen: one of the caller's own. */
    WardenSignInUID: SignInUid,
    records: Type.Array(LateRecord, { minItems: 1, maxItems: 100 }),
  }),
  reply: Type.Object({
    /** The keys of what is kept, now or before. */
    kept: Type.Array(Type.String()),
    /** `invalid_transition`: the event still runs. `no_event`: seen outside of it, or too late. `not_on_duty`: then. */
    refused: Type.Array(Type.Object({ key: Type.String(), error: Type.Enum([...errorCodes]) })),
  }),
  policy: { access: 'session' },
  refusals: ['not_found'],
})
