import { onlineManager } from '@tanstack/react-query'
import { useSyncExternalStore } from 'react'

/** False while the phone has no connection and reads wait for one. */
export const useOnline = () =>
  useSyncExternalStore(
    (tell) => onlineManager.subscribe(tell),
    () => onlineManager.isOnline(),
  )

/** In place of what was never read. Without signal nothing loads. */
export const useLoadingWords = () => (useOnline() ? 'Loading...' : 'Not on this phone yet. It needs a connection.')
