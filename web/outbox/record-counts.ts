import { createStore } from '../lib/store.ts'

// Separate from the outbox, so that the bar on each page does not load it.

/** Number of this warden's pending records. */
export const pendingCountStore = createStore(0)

/** Number of this warden's rejected records. A sign-out would leave them unread. */
export const rejectedCountStore = createStore(0)
