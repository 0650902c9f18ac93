import { useQuery } from '@tanstack/react-query'
import type { AssignmentUid } from '#kernel/ids.ts'
import { AsOf } from '#web/ui/as-of.tsx'
import { Skeleton } from '#web/ui/skeleton.tsx'
import { TryAgain } from '#web/ui/try-again.tsx'
import { DocumentList } from './document-list.tsx'
import { documentsQuery } from './documents.data.ts'

/** The documents of an assignment, in every state of reading them. */
export function Documents({ assignment }: { assignment: AssignmentUid | null }) {
  const { data, dataUpdatedAt, isPending, isError, isFetching, isRefetchError, refetch } = useQuery(
    documentsQuery(assignment),
  )
  return (
    <>
      {isPending && <Skeleton parts={['line', 'line']} />}
      {isError && !data && <TryAgain busy={isFetching} onPress={() => void refetch()} />}
      {data && <DocumentList documents={data} />}
      {data && data.length > 0 && <AsOf at={dataUpdatedAt} stale={isRefetchError} />}
    </>
  )
}
