import type { Query, QueryClient } from '@tanstack/react-query'
import type { SignInUid } from '#kernel/ids.ts'
import { topics } from '#kernel/kinds.ts'
import { getAuth, onAuth } from './stored-auth.ts'

/** Cards and documents belong to an assignment and are valid in any event. */
const eventTopics: readonly unknown[] = topics.filter((topic) => topic !== 'assignment')
const isOfEvent = ({ queryKey: [topic], meta }: Query) => eventTopics.includes(topic) && !meta?.anyEvent

/**
 * True from the end of the event until the warden is back at the list. Everything read of the event is outdated then.
 */
export const hasEnded = () => getAuth()?.event?.goToReportInListPage === true
export const isPast = (query: Query) => hasEnded() && isOfEvent(query)

export interface EventReads {
  /** The participation that the reads in memory belong to. Null if they belong to none. */
  signIn: () => SignInUid | null
  /** True if reads stored under that participation may be shown now. */
  accepts: (kept: SignInUid | null) => boolean
  stop: () => void
}

/**
 * Persons and floors have the same ids in every event. Reads of one event would appear as the state of the next,
 * including a drill's "safe". So a change of participation clears them. No participation clears nothing, because the
 * phone may return to the same one.
 */
export function watchEvent(queryClient: QueryClient): EventReads {
  let signIn = getAuth()?.WardenSignInUID ?? null
  const stop = onAuth(() => {
    const next = getAuth()?.WardenSignInUID
    if (!next || next === signIn) return
    signIn = next
    void queryClient.resetQueries({ predicate: isOfEvent })
  })
  return {
    signIn: () => signIn,
    accepts(kept) {
      signIn ??= kept
      return signIn === kept
    },
    stop,
  }
}
