import { createStore } from './store.ts'

/** Whether the side menu is open. The shell draws the menu; a screen with its own bar opens it from here. */
export const menuOpenStore = createStore(false)
