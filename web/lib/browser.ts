import { createStore } from './store.ts'
import { unsavedStore } from './unsaved.ts'

/** Incremented when the program must restart within the open page. */
export const startStore = createStore(0)

/** All full page loads, so that tests can observe them instead of leaving the page. */
export const browser = {
  /** Restarts the program with the stored identity. */
  load(path: string) {
    if (!unsavedStore.get()) return window.location.assign(path)
    // A page load would lose what the phone could not store.
    window.history.pushState(null, '', path)
    startStore.set(startStore.get() + 1)
  },
  /** Reloads only once the server answers: a reload without signal would lose the current page. */
  async reloadWhenReachable() {
    const answer = await fetch('/', { cache: 'reload' }).catch(() => null)
    if (answer?.ok) window.location.reload()
  },
}
