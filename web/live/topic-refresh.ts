import type { Query, QueryClient } from '@tanstack/react-query'
import type { Changed } from '#features/live-updates/calls/realtime.ts'
import { type Topic, topics } from '#kernel/kinds.ts'

const gather = 250

/** The first part of the key is the main topic of a read; `meta` names the others. */
const topicsOf = ({ queryKey, meta }: Query) => [queryKey[0] as Topic, ...(meta?.topics ?? [])]
const isReadFirst = ({ state }: Query) => state.data === undefined && state.fetchStatus === 'fetching'

export interface TopicRefresh {
  note(changed: readonly Changed[]): void
  /** Something may have been missed: every topic is refetched. */
  noteAll(): void
  stop(): void
}

/**
 * Refetches what is on screen for the topics that changed. A burst becomes one refetch. Phones do not all ask at once.
 * A refetch finishes before the next one starts: on a slow link, steady changes would starve the list. A first read
 * finishes too. It may have been answered before the change, so everything that changed is read once more after it.
 */
export function createTopicRefresh(queryClient: QueryClient): TopicRefresh {
  const queued = new Set<Topic>()
  let timer: ReturnType<typeof setTimeout> | undefined
  let isReading = false

  const refetch = async () => {
    const changed = new Set(queued)
    queued.clear()
    timer = undefined
    isReading = true
    const isMeant = (query: Query) => topicsOf(query).some((topic) => changed.has(topic))
    const isFirstRead = queryClient.getQueryCache().findAll({ predicate: isMeant }).some(isReadFirst)
    await queryClient.invalidateQueries({ predicate: isMeant })
    if (isFirstRead) for (const topic of changed) queued.add(topic)
    isReading = false
    schedule()
  }
  const schedule = () => {
    if (queued.size && !isReading) timer ??= setTimeout(refetch, gather + Math.random() * gather)
  }
  const note = (changed: readonly { topic: Topic }[]) => {
    for (const { topic } of changed) queued.add(topic)
    schedule()
  }
  return {
    note,
    noteAll: () => note(topics.map((topic) => ({ topic }))),
    stop: () => clearTimeout(timer),
  }
}
