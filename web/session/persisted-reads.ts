import type { Query, QueryClient } from '@tanstack/react-query'
import {
  type PersistedClient,
  type Persister,
  persistQueryClient,
  persistQueryClientSave,
} from '@tanstack/react-query-persist-client'
import { clear, createStore, del, get, set, type UseStore } from 'idb-keyval'
import type { SignInUid } from '#kernel/ids.ts'
import type { Topic } from '#kernel/kinds.ts'
import { type EventReads, hasEnded, isPast, watchEvent } from './event-reads.ts'
import { onAuth } from './stored-auth.ts'

/** What a query may declare about refetching on changes and about storing its answer on the phone. */
export interface ReadMeta extends Record<string, unknown> {
  /** Further topics that cause a refetch, besides the first part of the key. */
  topics?: readonly Topic[]
  /** The one floor that the answer is about, and its building. Changes elsewhere cause no refetch. Null: any place. */
  placesOf?: (data: never) => readonly string[] | null
  /** Health data (PEEP text) stays in memory only: the answer is not stored. */
  private?: boolean
  /** Removes the private parts of the answer before it is stored. */
  redact?: (data: never) => unknown
  /** Valid in any event: a change of event does not remove the answer from the screen. */
  anyEvent?: true
}
interface StoredReads extends PersistedClient {
  /** The participation that the stored reads belong to. */
  signIn: SignInUid | null
}
declare module '@tanstack/react-query' {
  interface Register {
    queryMeta: ReadMeta
  }
}

const disk = createStore('evac-reads', 'reads')
/** If site data is blocked, IndexedDB throws synchronously. The async function turns that into a rejection. */
const box: UseStore = async (mode, act) => disk(mode, act)
const slot = 'reads'
const writeEvery = 1000
/** This file's name in the build. It changes with every version, so that no version reads another's data. */
const build = import.meta.url
/** Incremented by every wipe: a write that was pending then belongs to someone who has signed out. */
let generation = 0

/**
 * Stores the reads of `owner` (person uid) in IndexedDB and restores them after a reload. Returns a function that
 * stops.
 */
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
  // Answers that arrived while the stored ones were being read have not been saved yet.
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

/** Deletes all stored reads. Waits at most 500 ms: a stuck database must not keep anyone signed in. */
export async function wipePersistedReads() {
  generation += 1
  const gone = clear(box).catch(() => undefined)
  await Promise.race([gone, new Promise((resolve) => setTimeout(resolve, 500))])
}

function throttledPersister(born: number, event: EventReads) {
  let cancelled = false
  let unwritten: StoredReads | undefined
  let timer: ReturnType<typeof setTimeout> | undefined
  const flush = () => {
    clearTimeout(timer)
    timer = undefined
    const client = unwritten
    unwritten = undefined
    if (client && !cancelled && born === generation) set(slot, storable(client), box).catch(() => undefined)
  }
  const persister: Persister = {
    persistClient(client) {
      unwritten = { ...client, signIn: event.signIn() }
      timer ??= setTimeout(flush, writeEvery)
    },
    async restoreClient() {
      const kept = await get<StoredReads>(slot, box).catch(() => undefined)
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
 * Stores every answer as a plain success, because a failed refresh must not cost the last good answer. Restored answers
 * are refetched at once, however recent. `meta` contains functions and cannot be stored.
 */
function storable(client: StoredReads): StoredReads {
  const queries = client.clientState.queries.map(({ meta, state, ...query }) => {
    const redact = meta?.redact as ((data: unknown) => unknown) | undefined
    const data = redact ? redact(state.data) : state.data
    const success = { status: 'success', error: null, fetchFailureReason: null, fetchFailureCount: 0 } as const
    return { ...query, state: { ...state, ...success, isInvalidated: true, data } }
  })
  return { ...client, clientState: { mutations: [], queries } }
}
