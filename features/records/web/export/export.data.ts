import { queryOptions, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { ApiError } from '#kernel/client/client.ts'
import type { EventUid } from '#kernel/ids.ts'
import { useKeyedSend } from '#web/session/use-keyed-send.ts'
import type { ExportFormat, ExportNames } from '../../kinds.ts'
import { recordRefusals } from '../../words.ts'
import { asker } from '../parts/warden-or-console.tsx'

interface Wanted {
  format: ExportFormat
  names: ExportNames
}

/** Milliseconds between two looks at a file that is being made. */
const often = 1000

const exportQuery = (uid: string | undefined) =>
  queryOptions({
    queryKey: ['record export', uid],
    queryFn: ({ signal }) => asker()('GET /api/event/exports/:uid', { params: { uid: uid ?? '' } }, { signal }),
    enabled: uid !== undefined,
    refetchInterval: ({ state: { data } }) => (!data || data.state === 'making' ? often : false),
    staleTime: 0,
    meta: { private: true, anyEvent: true },
  })

const again = 'The file could not be made. Try again.'

const whyOf = (error: unknown) =>
  error instanceof ApiError && error.code in recordRefusals
    ? recordRefusals[error.code as keyof typeof recordRefusals]
    : again

/** Begins to make a file, and follows it until it is ready. */
export function useExport(event: EventUid) {
  const [wanted, setWanted] = useState<Wanted | null>(null)
  const begin = useKeyedSend(JSON.stringify, (body: Wanted, extras) =>
    asker()('POST /api/event/records/:eventUid/exports', { params: { eventUid: event }, body }, extras),
  )
  const { data } = useQuery(exportQuery(begin.data?.uid))
  const made = data ?? begin.data
  const isMaking = begin.isPending || made?.state === 'making'
  const failed = begin.isError ? whyOf(begin.error) : made?.state === 'failed' ? (made.message ?? again) : null
  return {
    /** The file that is asked for. */
    format: wanted?.format ?? null,
    isMaking,
    progress: made?.progress ?? 0,
    url: made?.state === 'ready' ? made.url : undefined,
    failed: isMaking ? null : failed,
    make: (next: Wanted) => {
      if (isMaking) return
      setWanted(next)
      begin.mutate(next)
    },
    /** What was chosen has changed: the file is of something else. */
    forget: () => begin.reset(),
  }
}
