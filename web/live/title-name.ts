import { createStore } from '../lib/store.ts'

/** Whom the page is about, for the accessible name of its title. Empty for a page about no one. */
export const titleNameStore = createStore('')
