import { type ComponentType, use } from 'react'
import type { RoutePath } from '../pages/routes.ts'

/** A route whose screen is built; `load` fetches its chunk, once, and `loaded` is the screen from then on. */
export interface ScreenEntry {
  load: () => Promise<ComponentType>
  loaded: () => ComponentType | undefined
}
/** A route that is missing here shows '404 Not Found!' and has no entry in the menu. */
export type ScreenTable = Partial<Record<RoutePath, ScreenEntry>>

/**
 * Like React.lazy, except that a chunk that could not be fetched is asked for again at the next try, where the browser
 * does so.
 */
export function screen(load: ScreenEntry['load']): ScreenEntry {
  let loading: Promise<ComponentType> | undefined
  let loaded: ComponentType | undefined
  const start = async () => {
    try {
      loaded = await load()
      return loaded
    } catch (error) {
      loading = undefined
      throw error
    }
  }
  return {
    load() {
      loading ??= start()
      return loading
    },
    loaded: () => loaded,
  }
}

/** A chunk that is here already is drawn at once: React would show the fallback for 300 ms. */
export function LazyScreen({ entry }: { entry: ScreenEntry }) {
  const Screen = entry.loaded() ?? use(entry.load())
  return <Screen />
}
