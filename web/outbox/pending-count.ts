import { createStore } from '../lib/store.ts'

/** Number of this warden's pending records. Separate from the outbox, so that the bar on each page does not load it. */
export const pendingCountStore = createStore(0)
