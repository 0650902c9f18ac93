import { useState } from 'react'
import type { AssignmentUid } from '#kernel/ids.ts'
import { usePageParameters } from '#web/pages/use-page-parameters.ts'
import { getAuth, type ReportInDetails } from '#web/session/stored-auth.ts'

export interface OwnAssignment {
  uid: AssignmentUid
  details: ReportInDetails
}

/** The assignment in the address. */
export const useAssignmentUid = () => usePageParameters().wardenAssignmentUID as AssignmentUid

/**
 * The assignment in the address with the details stored for it; null without, or with another's.
 * Read once, when the page opens: another card may be chosen in another tab.
 */
export function useOwnAssignment(): OwnAssignment | null {
  const uid = useAssignmentUid()
  const [details] = useState(() => detailsOf(uid))
  return details && { uid, details }
}

function detailsOf(uid: AssignmentUid): ReportInDetails | null {
  const auth = getAuth()
  return auth?.reportInDetailsOf === uid ? auth.reportInDetails : null
}
