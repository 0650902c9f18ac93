import { ArrowDown, ArrowUp, Equal } from 'lucide-react'
import type { ReactNode } from 'react'
import { formatDateIn } from '#web/console/zone-time.ts'
import { Link } from '#web/ui/link.tsx'
import type { EventRecord } from '../../calls/record.ts'
import { type ComparedLine, changeOf, comparedLines, comparedWith, nothingEarlier } from '../../compared.ts'
import { None } from '../parts/none.tsx'
import { RecordSection } from '../parts/record-section.tsx'
import { Table } from '../parts/table.tsx'
import { addressOf } from '../parts/warden-or-console.tsx'

/** Beside the latest earlier one of its kind, by word and arrow. */
export function ComparedSection({ record }: { record: EventRecord }) {
  const { compared, kind } = record
  return (
    <RecordSection id="compared" title="Compared">
      {compared ? (
        <Comparison record={record} earlier={compared} />
      ) : (
        <p className="text-muted">{nothingEarlier(kind)}</p>
      )}
    </RecordSection>
  )
}

function Comparison({ record, earlier }: { record: EventRecord; earlier: NonNullable<EventRecord['compared']> }) {
  const shown = (value: number | null, { words, why }: ComparedLine): ReactNode =>
    value === null ? <None why={why} /> : words(value)
  return (
    <>
      <p>
        With{' '}
        <Link to={addressOf(`/${earlier.event}`)} className="rec-title">
          Record {earlier.number}
        </Link>
        {comparedWith(record, earlier, formatDateIn(earlier.started_at, record.timezone))}
      </p>
      <Table
        caption="Compared"
        rows={comparedLines(record, earlier)}
        keyOf={({ name }) => name}
        columns={[
          { head: 'Figure', cell: ({ name }) => name },
          { head: 'Now', number: true, cell: (line) => shown(line.now, line) },
          { head: 'Then', number: true, cell: (line) => shown(line.before, line) },
          { head: 'Change', cell: (line) => <Change line={line} /> },
        ]}
      />
    </>
  )
}

function Change({ line }: { line: ComparedLine }) {
  const change = changeOf(line)
  if (change === null) return '–'
  const Icon = { '-1': ArrowDown, '0': Equal, '1': ArrowUp }[change.way]
  return (
    <span className="inline-flex items-center gap-1.5">
      <Icon aria-hidden size={16} className="shrink-0" />
      {change.said}
    </span>
  )
}
