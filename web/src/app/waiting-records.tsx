import { useEffect } from 'react'
import { useOutbox } from '../lib/use-outbox.ts'
import { waitingCountStore } from '../lib/waiting-count.ts'

/** Sends what waits on this phone, whichever page is open, and tells the bar how much it is. Draws nothing. */
export function WaitingRecords() {
  const { waiting } = useOutbox()
  useEffect(() => waitingCountStore.set(waiting.length), [waiting])
  return null
}
