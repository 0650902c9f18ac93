import { createStore } from '../lib/store.ts'

/**
 * Rows of the long list near the window, updated when scrolling stops. Empty for lists that are rendered completely.
 */
export const peopleInView = createStore<readonly string[]>([])
