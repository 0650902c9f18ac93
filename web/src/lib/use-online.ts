import { onlineManager } from '@tanstack/react-query'
import { useSyncExternalStore } from 'react'

/** False while the phone has no connection and reads wait for one. */
export const useOnline = () =>
  useSyncExternalStore(
    (tell) => onlineManager.subscribe(tell),
    () => onlineManager.isOnline(),
  )
