import type { AssignmentAnswer } from '@evac/contract/calls/assignments.ts'
import type { AssignmentUid } from '@evac/contract/ids.ts'
import { idempotencyKeyHeader } from '@evac/contract/write-headers.ts'
import { queryOptions } from '@tanstack/react-query'
import { call } from '../../session/api.ts'
import { getAuth, updateAuth } from '../../session/stored-auth.ts'

/** ASSIGN-02. Health data: kept neither on the phone nor in memory once the page is left. */
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
  // AMB-040: its place in an event is gone, and nobody has removed this warden from it.
  const isOwnSession = getAuth()?.Warden_Assignment_UID === assignment
  if (status !== 'Accepted' && isOwnSession) updateAuth({ WardenSignInUID: null, on_duty: false })
}
