/** Headers of a write: the key that makes it happen once; when the warden saw it, and the same clock at sending, so that a wrong phone clock does no harm. */
export const idempotencyKeyHeader = 'idempotency-key'
export const observedAtHeader = 'x-observed-at'
export const sentAtHeader = 'x-sent-at'
/** Answered with a password sign-in, and sent with the next: this phone has signed in to the account before. */
export const deviceHeader = 'evac-device'
