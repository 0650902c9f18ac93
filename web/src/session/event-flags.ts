/** Kept in stored auth: is an event known to run, and must the next guarded page be the report-in list (A§4). */
export interface EventFlags {
  status: boolean
  goToReportInListPage: boolean
}

export const noEventFlags: EventFlags = { status: false, goToReportInListPage: false }

/** AMB-049: 'start', 'end', or anything else. */
export function eventFlags(change: string): EventFlags {
  if (change === 'start') return { status: true, goToReportInListPage: false }
  if (change === 'end') return { status: false, goToReportInListPage: true }
  return noEventFlags
}
