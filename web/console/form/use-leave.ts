import { useEffect, useState } from 'react'

/** The browser's Navigation API, where it has one. */
const navigation: Navigation | undefined = (window as { navigation?: Navigation }).navigation

/**
 * While `isDirty`, going to another page, back included, waits for an answer. `asking` is true meanwhile. A full load
 * is asked about by the browser itself. A browser without the Navigation API asks only there.
 */
export function useLeave(isDirty: boolean) {
  const [wanted, setWanted] = useState<(() => void) | null>(null)
  useEffect(() => {
    if (!isDirty) return
    const handleUnload = (event: BeforeUnloadEvent) => event.preventDefault()
    const handleNavigate = (event: NavigateEvent) => {
      const { destination } = event
      if (!event.cancelable || !destination.sameDocument) return
      if (new URL(destination.url).pathname === location.pathname) return
      event.preventDefault()
      setWanted(() => () => {
        stop()
        if (event.navigationType === 'traverse') navigation?.traverseTo(destination.key)
        else history.pushState({}, '', destination.url)
      })
    }
    const stop = () => {
      removeEventListener('beforeunload', handleUnload)
      navigation?.removeEventListener('navigate', handleNavigate)
    }
    addEventListener('beforeunload', handleUnload)
    navigation?.addEventListener('navigate', handleNavigate)
    return stop
  }, [isDirty])
  return {
    asking: wanted !== null,
    stay: () => setWanted(null),
    leave: () => {
      setWanted(null)
      wanted?.()
    },
  }
}
