import { queryOptions } from '@tanstack/react-query'
import type { AssignmentUid } from '#kernel/ids.ts'
import { idempotencyKeyHeader } from '#kernel/write-headers.ts'
import { call } from '#web/session/api.ts'
import { getAuth, updateAuth } from '#web/session/stored-auth.ts'
import type { AssignmentAnswer } from '../calls/assignments.ts'

/** Health data: kept neither on the phone nor in memory once the page is left. */
export const peepsQuery = (assignment: AssignmentUid) =>
  queryOptions({
    queryKey: ['confirmed peeps', assignment],
    queryFn: ({ signal }) =>
      call('GET /api/v2/warden/peep/:wardenAssignmentUID', { params: { wardenAssignmentUID: assignment } }, { signal }),
    gcTime: 0,
    meta: { private: true },
  })

export interface Answer {
  assignment: AssignmentUid
  status: AssignmentAnswer
  /** For 'Declined' and 'Withdrawn'. */
  reason?: string
}

/** Throws when it was refused or could not be sent. The same key makes sending it again harmless. */
export async function sendAnswer({ assignment, status, reason }: Answer, key: string): Promise<void> {
  const note = reason === undefined ? {} : { Assignment_Declined_Note: reason }
  const body = { Warden_Assignment_UID: assignment, Assignment_Status: status, ...note }
  await call('POST /api/v2/warden/updateAssignmentStatus', { body }, { headers: { [idempotencyKeyHeader]: key } })
  // Its place in an event is gone, and no one has removed this warden from it.
  const isOwnSession = getAuth()?.Warden_Assignment_UID === assignment
  if (status !== 'Accepted' && isOwnSession) updateAuth({ WardenSignInUID: null, on_duty: false })
}
