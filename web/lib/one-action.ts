import { useEffect, useRef, useState } from 'react'

/** What an action returns once a full page load has begun: the spinner stays until the page is gone. */
export const leaving = Symbol('leaving')

/**
 * Runs one action at a time. Presses during an action are ignored, and `running` names it for the spinner. A failed
 * call only stops the loader. `failed` names it until the next press, for failures that must be
 * visible.
 */
export function useOneAction<Name extends string>() {
  const [running, setRunning] = useState<Name | null>(null)
  const [failed, setFailed] = useState<Name | null>(null)
  const isBusy = useRef(false)

  const mark = (name: Name | null) => {
    isBusy.current = name !== null
    setRunning(name)
  }
  const run = async (name: Name, action: () => Promise<unknown>) => {
    if (isBusy.current) return
    mark(name)
    setFailed(null)
    try {
      if ((await action()) === leaving) return
    } catch (error) {
      if (import.meta.env.DEV) console.warn(error)
      setFailed(name)
    }
    mark(null)
  }

  // Going back may restore the page from the browser's memory in its old state.
  useEffect(() => {
    const wake = ({ persisted }: PageTransitionEvent) => {
      if (!persisted) return
      isBusy.current = false
      setRunning(null)
    }
    window.addEventListener('pageshow', wake)
    return () => window.removeEventListener('pageshow', wake)
  }, [])

  return { running, failed, run }
}
export type OneAction<Name extends string> = ReturnType<typeof useOneAction<Name>>
