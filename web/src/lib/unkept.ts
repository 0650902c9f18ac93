import { createStore } from './store.ts'

type Unkept = 'session' | 'records'
const names = new Set<Unkept>()

/** True while data exists in this page only, because the phone rejects writes. It would be lost with the page. */
export const unkeptStore = createStore(false)

export function noteUnkept(name: Unkept, is: boolean) {
  if (is) names.add(name)
  else names.delete(name)
  unkeptStore.set(names.size > 0)
}
