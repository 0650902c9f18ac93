import type { RejectionReason, SentRecord } from './safety-record.ts'

/** How the sending of a record ended. Rejected without a reason: it is kept in the record of its event. */
export type Answer = { acknowledged: SentRecord } | { rejected: RejectionReason | null }
/**
 * `stuck`: the server failed on this record, but others may succeed. `not now`: no record can be sent, because the server
 * does not answer or the warden is not on duty.
 */
export type Delivery = Answer | 'stuck' | 'not now'
