import type { Topic } from '@evac/contract/choices.ts'
import type { SignInUid } from '@evac/contract/ids.ts'
import type { Query, QueryClient } from '@tanstack/react-query'
import {
  type PersistedClient,
  type Persister,
  persistQueryClient,
  persistQueryClientSave,
} from '@tanstack/react-query-persist-client'
import { clear, createStore, del, get, set, type UseStore } from 'idb-keyval'
import { type EventReads, hasEnded, isPast, watchEvent } from './event-reads.ts'
import { onAuth } from './stored-auth.ts'

/** What a query may say about hearing of changes, and about keeping its answer on the phone. */
export interface ReadMeta extends Record<string, unknown> {
  /** Further topics that make real-time refetch it, beside the first part of its key. */
  topics?: readonly Topic[]
  /** Health data (PEEP text) stays in memory: the answer is not kept. */
  private?: boolean
  /** Keeps the answer without its private parts. */
  redact?: (data: never) => unknown
  /** Stands whichever event the warden is in: another one does not take it off the screen. */
  anyEvent?: true
}
interface KeptReads extends PersistedClient {
  /** The warden's place in the event they are of. */
  signIn: SignInUid | null
}
declare module '@tanstack/react-query' {
  interface Register {
    queryMeta: ReadMeta
  }
}

const disk = createStore('evac-reads', 'reads')
/** Where site data is blocked IndexedDB throws before there is a promise to catch it by. */
const box: UseStore = async (mode, act) => disk(mode, act)
const slot = 'reads'
const writeEvery = 1000
/** Name of this file in the build: changes with the program, so that another version never reads an old shape. */
const build = import.meta.url
/** Rises at every wipe: a write that waited through it belongs to somebody who has signed out. */
let generation = 0

/** Keeps the reads of `owner` (person uid) in IndexedDB and brings them back after a reload; stops when called. */
export function persistReads(queryClient: QueryClient, owner: string): () => void {
  const event = watchEvent(queryClient)
  const { persister, flush, cancel } = throttledPersister(generation, event)
  const options = {
    queryClient,
    persister,
    buster: `${owner} ${build}`,
    dehydrateOptions: {
      shouldDehydrateQuery: (query: Query) => query.state.data !== undefined && !query.meta?.private && !isPast(query),
      shouldDehydrateMutation: () => false,
    },
  }
  const [stop, restored] = persistQueryClient(options)
  // Answers that came while the old ones were being read back have not been noticed yet.
  const save = () => void persistQueryClientSave(options)
  void restored.then(save)
  const stopAtEnd = onAuth(() => hasEnded() && save())
  const flushWhenHidden = () => document.hidden && flush()
  document.addEventListener('visibilitychange', flushWhenHidden)
  return () => {
    stop()
    event.stop()
    stopAtEnd()
    cancel()
    document.removeEventListener('visibilitychange', flushWhenHidden)
  }
}

/** SESSION-17: forgets all kept reads. Waits half a second at most: a stuck database must not keep anybody signed in. */
export async function wipePersistedReads() {
  generation += 1
  const gone = clear(box).catch(() => undefined)
  await Promise.race([gone, new Promise((resolve) => setTimeout(resolve, 500))])
}

function throttledPersister(born: number, event: EventReads) {
  let cancelled = false
  let waiting: KeptReads | undefined
  let timer: ReturnType<typeof setTimeout> | undefined
  const flush = () => {
    clearTimeout(timer)
    timer = undefined
    const client = waiting
    waiting = undefined
    if (client && !cancelled && born === generation) set(slot, storable(client), box).catch(() => undefined)
  }
  const persister: Persister = {
    persistClient(client) {
      waiting = { ...client, signIn: event.signIn() }
      timer ??= setTimeout(flush, writeEvery)
    },
    async restoreClient() {
      const kept = await get<KeptReads>(slot, box).catch(() => undefined)
      return kept && event.accepts(kept.signIn) ? kept : undefined
    },
    removeClient: () => del(slot, box).catch(() => undefined),
  }
  const cancel = () => {
    cancelled = true
    clearTimeout(timer)
  }
  return { persister, flush, cancel }
}

/**
 * A failed refresh must not cost the last good answer, so every answer is kept as a plain success; one that comes back
 * is asked for again at once, however young it is. `meta` holds functions and cannot be stored.
 */
function storable(client: KeptReads): KeptReads {
  const queries = client.clientState.queries.map(({ meta, state, ...query }) => {
    const redact = meta?.redact as ((data: unknown) => unknown) | undefined
    const data = redact ? redact(state.data) : state.data
    const success = { status: 'success', error: null, fetchFailureReason: null, fetchFailureCount: 0 } as const
    return { ...query, state: { ...state, ...success, isInvalidated: true, data } }
  })
  return { ...client, clientState: { mutations: [], queries } }
}
