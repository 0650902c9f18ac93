import type { AssignmentUid } from '@evac/contract/ids.ts'
import { useState } from 'react'
import { getAuth, type ReportInDetails } from '../../lib/stored-auth.ts'
import { useRouteParameters } from '../../lib/use-route-parameters.ts'

export interface OwnAssignment {
  uid: AssignmentUid
  details: ReportInDetails
}

/** The assignment in the address. */
export const useAssignmentUid = () => useRouteParameters().wardenAssignmentUID as AssignmentUid

/**
 * ASSIGN-09, ASSIGN-16: the assignment in the address with the details stored for it; null without. Read once, when the
 * page opens: another card may be chosen in another tab.
 */
export function useOwnAssignment(): OwnAssignment | null {
  const uid = useAssignmentUid()
  const [details] = useState(() => detailsOf(uid))
  return details && { uid, details }
}

let shown: { text: string; uid: AssignmentUid } | undefined

/**
 * The stored details do not say whose they are. They belong to the assignment they were first shown for: going back in
 * the browser's history must not put one card's details over the Accept button of another.
 */
function detailsOf(uid: AssignmentUid): ReportInDetails | null {
  const details = getAuth()?.reportInDetails
  if (!details) return null
  const text = JSON.stringify(details)
  if (shown?.text !== text) shown = { text, uid }
  return shown.uid === uid ? details : null
}
