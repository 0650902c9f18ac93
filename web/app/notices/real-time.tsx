import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef } from 'react'
import { usePathname } from 'wouter/use-browser-location'
import { tellNews } from '../../live/feed-news.ts'
import { Feed } from '../../live/realtime.ts'
import { createTopicRefresh } from '../../live/topic-refresh.ts'
import { noteUnread } from '../../live/unread.ts'
import { isRealtimePage } from '../../pages/find-page.ts'
import { noteEvent } from '../../session/event-notices.ts'
import { useAuth } from '../../session/stored-auth.ts'

/** Keeps the real-time feed open while one of its pages is on screen. Draws nothing. */
export function RealTime() {
  const pathname = usePathname()
  const queryClient = useQueryClient()
  const active = useAuth() !== null && isRealtimePage(pathname)
  const feed = useRef<Feed>(null)
  const page = useRef(pathname)
  page.current = pathname

  useEffect(() => {
    if (!active) return
    const refresh = createTopicRefresh(queryClient)
    feed.current = new Feed({
      onGap: (at) => {
        refresh.noteAll()
        tellNews(null, at)
      },
      onPublication: (publication) => {
        // what was read or came changes the rows of lists, too
        if (noteUnread(publication)) refresh.note([{ topic: 'message', ids: [] }])
        noteEvent(publication, page.current)
        // The channel list says whether this warden has to read it.
        if (publication.live_from) void feed.current?.check()
        if (!publication.changed) return
        refresh.note(publication.changed)
        tellNews(publication.changed, publication.at)
      },
    })
    return () => {
      feed.current?.stop()
      feed.current = null
      refresh.stop()
    }
  }, [active, queryClient])

  // On entering a real-time page and on every route change.
  // biome-ignore lint/correctness/useExhaustiveDependencies: the change of page is the reason to ask
  useEffect(() => {
    feed.current?.check()
  }, [active, pathname])

  return null
}
