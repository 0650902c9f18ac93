import { useEffect, useRef } from 'react'
import * as limits from '#kernel/limits.ts'
import { toast } from '#web/ui/toast.tsx'

const briefly = { variant: 'danger', delay: limits.messageToast } as const

/**
 * One toast for a failed load, one for polls until a poll succeeds. What is cancelled has not failed.
 * Real-time makes a failed load be tried again unasked. Answers what to call before one that is asked for.
 */
export function useThreadToasts({ isError, dataUpdatedAt }: { isError: boolean; dataUpdatedAt: number }) {
  const opened = useRef(Date.now())
  const isLoaded = dataUpdatedAt >= opened.current

  const told = useRef<boolean>(undefined)

  // biome-ignore lint/correctness/useExhaustiveDependencies: each answer ends what failed before it
  useEffect(() => {
    told.current = undefined
  }, [dataUpdatedAt])
  useEffect(() => {
    if (!isError || told.current === isLoaded) return
    told.current = isLoaded
    toast(isLoaded ? 'Couldnt Poll for new data. Please refresh.' : 'Error loading data. Please refresh.', briefly)
  }, [isError, isLoaded])

  return () => {
    told.current = undefined
  }
}
