import { createStore } from './store.ts'

type Unkept = 'session' | 'records'
const names = new Set<Unkept>()

/** True while something lives in this page alone, because the phone refuses to keep it: it would be gone with the page. */
export const unkeptStore = createStore(false)

export function noteUnkept(name: Unkept, is: boolean) {
  if (is) names.add(name)
  else names.delete(name)
  unkeptStore.set(names.size > 0)
}
