/** Headers of a write: the idempotency key, the time of the observation, and the time of sending. Both times come from the phone's clock, so that a wrong clock does no harm. */
export const idempotencyKeyHeader = 'idempotency-key'
export const observedAtHeader = 'x-observed-at'
export const sentAtHeader = 'x-sent-at'
/** The server returns it at a password sign-in and the phone sends it at the next one, as a mark of a known phone. */
export const deviceHeader = 'evac-device'
/** '1' from a browser that has asked for a sign-in link in the last ten minutes. */
export const askedHeader = 'evac-asked'
