import { createStore } from './store.ts'

type Unsaved = 'session' | 'records'
const names = new Set<Unsaved>()

/** True while data exists in this page only, because the phone rejects writes. It would be lost with the page. */
export const unsavedStore = createStore(false)

export function noteUnsaved(name: Unsaved, is: boolean) {
  if (is) names.add(name)
  else names.delete(name)
  unsavedStore.set(names.size > 0)
}
