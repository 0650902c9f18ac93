import { useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import { call } from '#web/session/api.ts'
import { noteEventKind } from '#web/session/event-kind.ts'

/** The smallest question there is, and only from pages that someone looks at: the screen of a waiting phone goes dark. */
const askEvery = 5000

/**
 * While a warden who is not on duty looks at this page, asks whether an event runs for them; when that changes, what the page
 * shows is read again. There is no real-time feed for them.
 */
export function useEventWatch(waits: boolean) {
  const queryClient = useQueryClient()
  useEffect(() => {
    if (!waits) return
    const life = new AbortController()
    const { signal } = life
    let known: boolean | undefined
    const ask = async () => {
      if (document.hidden) return
      const answer = await call('GET /api/v2/warden/eventpoll', {}, { signal }).catch(() => null)
      if (!answer || signal.aborted) return
      const runs = answer.event?.status === true
      noteEventKind(runs ? answer.event_kind : null)
      if (known !== undefined && known !== runs)
        for (const queryKey of [['assignment', 'cards'], ['event', 'report'], ['sign-in-record']])
          void queryClient.invalidateQueries({ queryKey })
      known = runs
    }
    void ask()
    const timer = setInterval(ask, askEvery)
    document.addEventListener('visibilitychange', ask, { signal })
    window.addEventListener('focus', ask, { signal })
    return () => {
      clearInterval(timer)
      life.abort()
    }
  }, [queryClient, waits])
}
