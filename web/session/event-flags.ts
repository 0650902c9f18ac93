/**
 * Part of stored auth: whether an event is known to run, and whether the next guarded page must be the report-in list.
 */
export interface EventFlags {
  status: boolean
  goToReportInListPage: boolean
}

export const noEventFlags: EventFlags = { status: false, goToReportInListPage: false }

/** 'start', 'end', or anything else. */
export function eventFlags(change: string): EventFlags {
  if (change === 'start') return { status: true, goToReportInListPage: false }
  if (change === 'end') return { status: false, goToReportInListPage: true }
  return noEventFlags
}
