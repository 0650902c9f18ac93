import { type ComponentType, use } from 'react'

/** `load` fetches the chunk of a screen, once, and `loaded` is the screen from then on. */
export interface ScreenEntry {
  load: () => Promise<ComponentType>
  loaded: () => ComponentType | undefined
}

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
