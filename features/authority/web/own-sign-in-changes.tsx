import { queryOptions, useQuery } from '@tanstack/react-query'
import { formatMoment } from '#web/lib/time/server-clock.ts'
import { call } from '#web/session/api.ts'
import { SignInChangesNotice } from './sign-in-changes-notice.tsx'

const ownQuery = queryOptions({
  queryKey: ['own sign-in changes'],
  queryFn: ({ signal }) => call('GET /api/sign-in-changes', {}, { signal }),
  staleTime: Number.POSITIVE_INFINITY,
})

/** At the foot of the report-in list, where it moves nothing that is about to be pressed. */
export function OwnSignInChanges() {
  const { data } = useQuery(ownQuery)
  return <SignInChangesNotice own={data} format={(at) => formatMoment(new Date(at))} />
}
