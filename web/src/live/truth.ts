import { useEffect, useState } from 'react'
import { usePathname } from 'wouter/use-browser-location'
import { useStore } from '../lib/store.ts'
import { unkeptStore } from '../lib/unkept.ts'
import { waitingCountStore } from '../outbox/waiting-count.ts'
import { isRealtimePage } from '../pages/find-page.ts'
import { useAuth } from '../session/stored-auth.ts'
import { connectionStore } from './connection-state.ts'
import { useOldestShown, useOnline, useRefreshFailing } from './data-age.ts'

/** Why what is on screen may not be true any more. */
export type Trouble = 'offline' | 'feed-lost' | 'stale' | 'off-duty' | 'unsent' | 'unkept'

/** A reconnect or a send of this length is nobody's business. */
const patience = 5000

interface Truth {
  trouble: Trouble | null
  /** When the oldest answer on screen arrived. */
  asOf: number | null
  /** Safety records that have not reached the server. */
  waiting: number
  /** F31: the phone refuses to keep something that lives in this page alone. */
  unkept: boolean
}

/** What the bar under each title says: the worst trouble, how old the screen is and what is not sent yet. */
export function useTruth(): Truth {
  const pathname = usePathname()
  const onDuty = useAuth()?.on_duty === true
  const wantsFeed = onDuty && isRealtimePage(pathname)
  const connected = useStore(connectionStore) === 'Connected'
  const feedLost = useLasting(wantsFeed && !connected, patience)
  const online = useOnline()
  const failing = useRefreshFailing()
  const asOf = useOldestShown()
  const waiting = useStore(waitingCountStore)
  const unsent = useLasting(waiting > 0, patience)
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
