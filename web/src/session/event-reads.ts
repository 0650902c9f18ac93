import { topics } from '@evac/contract/choices.ts'
import type { SignInUid } from '@evac/contract/ids.ts'
import type { Query, QueryClient } from '@tanstack/react-query'
import { getAuth, onAuth } from './stored-auth.ts'

/** Cards and documents belong to an assignment, whatever event comes. */
const eventTopics: readonly unknown[] = topics.filter((topic) => topic !== 'assignment')
const isOfEvent = ({ queryKey: [topic], meta }: Query) => eventTopics.includes(topic) && !meta?.anyEvent

/** From the end of the event until the warden is back at the list, all that was read of it is past. */
export const hasEnded = () => getAuth()?.event?.goToReportInListPage === true
export const isPast = (query: Query) => hasEnded() && isOfEvent(query)

export interface EventReads {
  /** The warden's place in the event that the reads in memory are of; null while they are of none. */
  signIn: () => SignInUid | null
  /** Whether reads kept under that place may be shown now. */
  accepts: (kept: SignInUid | null) => boolean
  stop: () => void
}

/**
 * Persons and floors are the same in every event: what was read in one would stand as the state of the next, a drill's
 * "safe" included. Another place in an event therefore forgets it. No place forgets nothing: the phone may come back to it.
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
