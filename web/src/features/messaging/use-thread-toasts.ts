import { limits } from '@evac/contract/limits.ts'
import { useEffect, useRef } from 'react'
import { toast } from '../../ui/toast.tsx'

const briefly = { variant: 'danger', delay: limits.messageToast } as const

/** MSG-21, MSG-22, AMB-135: one toast for a failed load, one for polls until a poll succeeds. What is cancelled has not failed. */
export function useThreadToasts({ isError, dataUpdatedAt }: { isError: boolean; dataUpdatedAt: number }) {
  const opened = useRef(Date.now())
  const isLoaded = dataUpdatedAt >= opened.current

  useEffect(() => {
    if (!isError) return
    toast(isLoaded ? 'Couldnt Poll for new data. Please refresh.' : 'Error loading data. Please refresh.', briefly)
  }, [isError, isLoaded])
}
