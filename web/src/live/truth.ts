import { useEffect, useState } from 'react'
import { usePathname } from 'wouter/use-browser-location'
import { useStore } from '../lib/store.ts'
import { unkeptStore } from '../lib/unkept.ts'
import { waitingCountStore } from '../outbox/waiting-count.ts'
import { isRealtimePage } from '../pages/find-page.ts'
import { useAuth } from '../session/stored-auth.ts'
import { connectionStore } from './connection-state.ts'
import { useOldestShown, useOnline, useRefreshFailing } from './data-age.ts'

/** Why the screen may no longer be current. */
export type Trouble = 'offline' | 'feed-lost' | 'stale' | 'off-duty' | 'unsent' | 'unkept'

/** Milliseconds. Do not warn about shorter interruptions. */
const warnAfterMs = 5000

interface ConnectionHealth {
  trouble: Trouble | null
  /** When the oldest answer on screen arrived. */
  asOf: number | null
  /** Number of safety records that have not reached the server. */
  waiting: number
  /** F31: data exists in this page only, because the phone rejects writes. */
  unkept: boolean
}

/** What the bar under each title shows: the worst trouble, the age of the screen, and the number of pending records. */
export function useTruth(): ConnectionHealth {
  const pathname = usePathname()
  const onDuty = useAuth()?.on_duty === true
  const wantsFeed = onDuty && isRealtimePage(pathname)
  const connected = useStore(connectionStore) === 'Connected'
  const feedLost = useLasting(wantsFeed && !connected, warnAfterMs)
  const online = useOnline()
  const failing = useRefreshFailing()
  const asOf = useOldestShown()
  const waiting = useStore(waitingCountStore)
  const unsent = useLasting(waiting > 0, warnAfterMs)
  const unkept = useStore(unkeptStore)

  const troubles: [Trouble, boolean][] = [
    ['offline', !online],
    ['feed-lost', feedLost],
    ['stale', failing],
    ['off-duty', waiting > 0 && !onDuty],
    ['unsent', unsent],
    ['unkept', unkept],
  ]
  return { trouble: troubles.find(([, holds]) => holds)?.[0] ?? null, asOf, waiting, unkept }
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
