import { createStore } from '../lib/store.ts'

/** How many of this warden's safety records have not reached the server. A number only, so that the bar on each page need not load the outbox. */
export const waitingCountStore = createStore(0)
