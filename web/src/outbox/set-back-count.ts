import { createStore } from '../lib/store.ts'

/** How many of this warden's safety records were not taken as they stand: a sign-out would leave them unread. */
export const setBackCountStore = createStore(0)
