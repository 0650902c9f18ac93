import type { TimelineMark } from '../kinds.ts'
import type { TimelineRow } from './timeline.queries.ts'

type Told = Pick<TimelineRow, 'action' | 'after'>

const isOf: Readonly<Record<Exclude<TimelineMark, 'changed' | 'missing'>, (row: Told) => boolean>> = {
  danger: ({ action, after }) =>
    (action === 'evacuee_status_set' || action === 'late_record') && after?.status === 'danger',
  refusal: ({ action, after }) =>
    (action === 'evacuee_refusal_set' || action === 'late_record') && after?.refused === true,
  help: ({ action, after }) =>
    (action === 'self_report_made' && after?.says === 'help') || action === 'calls_for_help_counted',
  outage: ({ action }) => action === 'service_gap',
  broken: ({ action }) => action === 'log_broken',
}

/** What an entry is marked for by what it says. Nothing of most. */
export function markOf(row: Told): { mark?: TimelineMark } {
  const mark = (Object.keys(isOf) as (keyof typeof isOf)[]).find((one) => isOf[one](row))
  return mark ? { mark } : {}
}
