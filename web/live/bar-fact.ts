import { createStore } from '../lib/store.ts'

/** A fact about the page for its bar: '15 of 75 accounted for'. Empty if the page has none. */
export const barFact = createStore('')
