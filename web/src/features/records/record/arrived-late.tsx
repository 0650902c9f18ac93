import type { EventUid } from '@evac/contract/ids.ts'
import { formatCount } from '../../../lib/counts.ts'
import { Link } from '../../../ui/link.tsx'
import { RecordSection } from '../parts/section.tsx'

/** AAR-22: what phones could not send before the end. It changed nothing. */
export function ArrivedLate({ event, records }: { event: EventUid; records: number }) {
  if (records === 0) return null
  return (
    <RecordSection id="arrived-late" title="Arrived after the end">
      <p className="font-semibold">
        {formatCount(records)} {records === 1 ? 'record of a phone' : 'records of phones'}
      </p>
      <p className="text-muted">No state and no figure of this record changed.</p>
      <p>
        <Link to={`/event/records/${event}/timeline?show=all&action=late_record`} className="rec-evidence">
          Show them in the timeline
        </Link>
      </p>
    </RecordSection>
  )
}
