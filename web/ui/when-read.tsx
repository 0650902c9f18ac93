import type { ReactNode } from 'react'
import { sentenceFor } from '../lib/refusal-sentences.ts'
import { Notice } from './notice.tsx'
import { Skeleton, type SkeletonProps } from './skeleton.tsx'
import { TryAgain } from './try-again.tsx'

interface WhenReadProps<Answer> {
  read: { data: Answer | undefined; error: Error | null; isFetching: boolean; refetch: () => unknown }
  /** Draws the answer. An old answer stays if reading again fails. */
  children: (answer: Answer) => ReactNode
  /** What the answer will be made of. */
  parts?: SkeletonProps['parts']
}

/** The content of a screen that needs one read: a skeleton, then the answer, or the reason and a retry button. */
export function WhenRead<Answer>({ read, children, parts }: WhenReadProps<Answer>) {
  const { data, error, isFetching, refetch } = read
  if (data !== undefined) return children(data)
  if (!error) return <Skeleton parts={parts} />
  return (
    <>
      <Notice variant="danger">{sentenceFor(error)}</Notice>
      <TryAgain onPress={() => void refetch()} busy={isFetching} />
    </>
  )
}
