import { useEffect, useState } from 'react'
import { usePathname } from 'wouter/use-browser-location'
import { useStore } from '../lib/store.ts'
import { unsavedStore } from '../lib/unsaved.ts'
import { useOnline } from '../lib/use-online.ts'
import { pendingCountStore } from '../outbox/record-counts.ts'
import { isRealtimePage } from '../pages/find-page.ts'
import { useAuth } from '../session/stored-auth.ts'
import { connectionStore, lateStore } from './connection-state.ts'
import { useOldestShown, useRefreshFailing } from './data-age.ts'

/** Why the screen may no longer be current. */
export type Trouble = 'offline' | 'feed-lost' | 'stale' | 'off-duty' | 'unsent' | 'unsaved'

/** Milliseconds. Do not warn about shorter interruptions. */
const warnAfterMs = 5000

interface ConnectionHealth {
  trouble: Trouble | null
  /** When the oldest answer on screen arrived. */
  asOf: number | null
  /** Number of safety records that have not reached the server. */
  pending: number
  /** Data exists in this page only, because the phone rejects writes. */
  unsaved: boolean
}

/** What the bar under each title shows: the worst trouble, the age of the screen, and the number of pending records. */
export function useConnectionHealth(): ConnectionHealth {
  const pathname = usePathname()
  const onDuty = useAuth()?.on_duty === true
  const wantsFeed = onDuty && isRealtimePage(pathname)
  const connected = useStore(connectionStore) === 'Connected'
  const isLate = useStore(lateStore)
  const feedLost = useLasting(wantsFeed && !connected, warnAfterMs) || (wantsFeed && isLate)
  const online = useOnline()
  const failing = useRefreshFailing()
  const asOf = useOldestShown()
  const pending = useStore(pendingCountStore)
  const unsent = useLasting(pending > 0, warnAfterMs)
  const unsaved = useStore(unsavedStore)

  const troubles: [Trouble, boolean][] = [
    ['offline', !online],
    ['feed-lost', feedLost],
    ['stale', failing],
    ['off-duty', pending > 0 && !onDuty],
    ['unsent', unsent],
    ['unsaved', unsaved],
  ]
  return { trouble: troubles.find(([, holds]) => holds)?.[0] ?? null, asOf, pending, unsaved }
}

/** True once `now` has held for `ms`. */
function useLasting(now: boolean, ms: number): boolean {
  const [lasting, setLasting] = useState(false)
  useEffect(() => {
    if (!now) return
    const timer = setTimeout(() => setLasting(true), ms)
    return () => {
      clearTimeout(timer)
      setLasting(false)
    }
  }, [now, ms])
  return now && lasting
}
