import type { AssignmentUid } from '@evac/contract/ids.ts'
import { useQuery } from '@tanstack/react-query'
import { AsOf } from '../../ui/as-of.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'
import { TryAgain } from '../../ui/try-again.tsx'
import { DocumentList } from './document-list.tsx'
import { documentsQuery } from './documents.data.ts'

/** ROLE-06, DOCS-01..03: the documents of an assignment, in every state of reading them. */
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
