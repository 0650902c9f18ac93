import { createStore } from './store.ts'
import { unkeptStore } from './unkept.ts'

/** Rises when the program must start anew within the page that is open. */
export const startStore = createStore(0)

/** Full page loads in one place, so that tests can watch them instead of leaving the page. */
export const browser = {
  /** AMB-011: the program starts anew with the identity that is stored now. */
  load(path: string) {
    if (!unkeptStore.get()) return window.location.assign(path)
    // F31: with the page would go what the phone could not keep.
    window.history.pushState(null, '', path)
    startStore.set(startStore.get() + 1)
  },
  /** Only once the server answers: a reload without signal would lose the page that is on screen. */
  async reloadWhenReachable() {
    const answer = await fetch('/', { cache: 'reload' }).catch(() => null)
    if (answer?.ok) window.location.reload()
  },
}
