/** Headers of a write: the key that makes it happen once; when the warden saw it, and the same clock at sending, so that a wrong phone clock does no harm. */
export const idempotencyKeyHeader = 'idempotency-key'
export const observedAtHeader = 'x-observed-at'
export const sentAtHeader = 'x-sent-at'
