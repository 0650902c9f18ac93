import { createStore } from '../lib/store.ts'

/** Rows of the long list on screen that are near the window, once scrolling rests; empty for lists that are drawn whole. */
export const peopleInView = createStore<readonly string[]>([])
