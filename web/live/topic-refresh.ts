import type { Query, QueryClient } from '@tanstack/react-query'
import type { Changed } from '#features/live-updates/calls/realtime.ts'
import { type Topic, topics } from '#kernel/kinds.ts'

const gather = 250

/** Floors on which something changed. Null: anywhere. */
type Where = ReadonlySet<string> | null

/** The first part of the key is the main topic of a read; `meta` names the others. */
const topicsOf = ({ queryKey, meta }: Query) => [queryKey[0] as Topic, ...(meta?.topics ?? [])]

function whereOf({ topic, ids, floors }: Changed): Where {
  const known = topic === 'floor' && ids.length > 0 ? ids : topic === 'evacuee' ? floors : undefined
  return known ? new Set(known) : null
}

/** A read that shows one floor is not meant by what is elsewhere. */
function isMeantBy(query: Query, changed: ReadonlyMap<Topic, Where>): boolean {
  const places = query.meta?.placesOf?.(query.state.data as never)
  return topicsOf(query).some((topic) => {
    const where = changed.get(topic)
    return where !== undefined && (where === null || !places || places.some((place) => where.has(place)))
  })
}
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
  const queued = new Map<Topic, Where>()
  let timer: ReturnType<typeof setTimeout> | undefined
  let isReading = false

  const refetch = async () => {
    const changed = new Map(queued)
    queued.clear()
    timer = undefined
    isReading = true
    const isMeant = (query: Query) => isMeantBy(query, changed)
    const isFirstRead = queryClient.getQueryCache().findAll({ predicate: isMeant }).some(isReadFirst)
    await queryClient.invalidateQueries({ predicate: isMeant })
    if (isFirstRead) for (const [topic, where] of changed) add(topic, where)
    isReading = false
    schedule()
  }
  const schedule = () => {
    if (queued.size && !isReading) timer ??= setTimeout(refetch, gather + Math.random() * gather)
  }
  const add = (topic: Topic, where: Where) => {
    const known = queued.get(topic)
    queued.set(topic, known === null || where === null ? null : new Set([...(known ?? []), ...where]))
  }
  const note = (changed: readonly Changed[]) => {
    for (const one of changed) add(one.topic, whereOf(one))
    schedule()
  }
  return {
    note,
    noteAll: () => note(topics.map((topic) => ({ topic, ids: [] }))),
    stop: () => clearTimeout(timer),
  }
}
