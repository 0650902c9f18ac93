import type { ReactNode } from 'react'
import { Notice } from '../../ui/notice.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'
import { TryAgain } from '../../ui/try-again.tsx'

interface WhenListedProps<Answer> {
  read: { data: Answer | undefined; error: Error | null; isFetching: boolean; refetch: () => unknown }
  /** Draws the answer. An old one stays below what went wrong. */
  children: (answer: Answer) => ReactNode
}

/** A list that is no table: its shape, then the answer, and a retry button if it could not be read again. */
export function WhenListed<Answer>({ read: { data, error, isFetching, refetch }, children }: WhenListedProps<Answer>) {
  return (
    <>
      {error && (
        <>
          <Notice variant="danger">The list could not be loaded.</Notice>
          <TryAgain onPress={() => void refetch()} busy={isFetching} />
        </>
      )}
      {data !== undefined ? children(data) : !error && <Skeleton parts={['line', 'line', 'line']} />}
    </>
  )
}
