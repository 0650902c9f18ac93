import { createStore } from '../lib/store.ts'

/** UX-30: a fact about the page for its bar: '15 of 75 accounted for'. Empty if the page has none. */
export const barFact = createStore('')
