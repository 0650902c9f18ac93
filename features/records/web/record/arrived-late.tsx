import type { EventUid } from '#kernel/ids.ts'
import { formatCount } from '#web/lib/counts.ts'
import { Link } from '#web/ui/link.tsx'
import type { Times } from '../../times.ts'
import { RecordSection } from '../parts/record-section.tsx'
import type { ReadRecord } from '../parts/records.data.ts'
import { FoldedTable } from '../parts/table.tsx'
import { Names } from './names.tsx'

interface ArrivedLateProps {
  event: EventUid
  answer: ReadRecord
  times: Times
}

/** What phones could not send before the end. It stands beside the figures and changed none. */
export function ArrivedLate({ event, answer: { arrived_late, late_records }, times }: ArrivedLateProps) {
  if (arrived_late === 0) return null
  return (
    <RecordSection id="arrived-after-the-end" title="Arrived after the end">
      <p className="font-semibold">
        {formatCount(arrived_late)} {arrived_late === 1 ? 'record from a phone' : 'records from phones'}
      </p>
      <p className="text-muted">No status or figure in this record changed.</p>
      {late_records.length > 0 && (
        <FoldedTable
          words="Each record"
          caption="Arrived after the end"
          rows={late_records}
          keyOf={({ id }) => id}
          columns={[
            { head: 'About', cell: ({ about }) => about },
            { head: 'What', cell: ({ what }) => what },
            { head: 'By', cell: ({ by, role }) => (by ? `${by}${role ? ` (${role})` : ''}` : (role ?? '–')) },
            { head: 'Seen', cell: ({ seen_at }) => (seen_at ? times.short(seen_at) : '–') },
            { head: 'Arrived', cell: ({ arrived_at }) => times.short(arrived_at) },
          ]}
        />
      )}
      {late_records.length > 0 && late_records.length < arrived_late && (
        <p className="text-muted">{formatCount(late_records.length)} of them are shown.</p>
      )}
      {late_records.some(({ is_person }) => is_person) && (
        <>
          <Names {...{ event, times }} list="late" button="Show names" />
          <p className="rec-screen text-sm text-muted">Names are shown with the status at the end of the event.</p>
        </>
      )}
      <p>
        <Link to={`/event/records/${event}/timeline?show=all&action=late_record`} className="rec-evidence">
          Show them in the timeline
        </Link>
      </p>
    </RecordSection>
  )
}
