import { createStore } from './store.ts'

/**
 * True while the side menu is open. The shell draws the menu; a screen with its own bar opens it through this store.
 */
export const menuOpenStore = createStore(false)
