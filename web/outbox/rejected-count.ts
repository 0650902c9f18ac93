import { createStore } from '../lib/store.ts'

/** Number of this warden's rejected records. A sign-out would leave them unread. */
export const rejectedCountStore = createStore(0)
