import { PenLine, Wrench } from 'lucide-react'
import type { ReactNode } from 'react'
import { formatDateIn, formatMinuteIn } from '#web/console/zone-time.ts'
import { formatCount } from '#web/lib/counts.ts'
import { Link } from '#web/ui/link.tsx'
import type { RecordCard } from '../../calls/records.ts'
import { durationOf } from '../../figures.ts'
import type { RecordsFilter } from '../parts/records.data.ts'
import { KindBadge, Result } from '../parts/signs.tsx'
import { Table } from '../parts/table.tsx'
import { addressOf } from '../parts/warden-or-console.tsx'

const addressOfRecord = ({ event }: RecordCard) => addressOf(`/${event}`)
const stateWords = { writing: 'Being written', failed: 'Not written yet' } as const

const began = ({ started_at, timezone }: RecordCard) =>
  `${formatDateIn(started_at, timezone)}, ${formatMinuteIn(started_at, timezone)}`
const took = ({ started_at, ended_at }: RecordCard) =>
  durationOf((Date.parse(ended_at) - Date.parse(started_at)) / 1000)

function ResultOf({ record: { result, recounted, state } }: { record: RecordCard }) {
  if (result)
    return (
      <>
        {recounted && 'Counted again: '}
        <Result result={result} />
      </>
    )
  return <span className="text-muted">{state in stateWords ? stateWords[state as 'writing'] : '–'}</span>
}

function Remark({ icon: Icon, children }: { icon: typeof PenLine; children: ReactNode }) {
  return (
    <span className="flex items-center gap-1.5 text-sm">
      <Icon aria-hidden size={16} className="shrink-0 text-muted" />
      {children}
    </span>
  )
}

function Remarks({ record: { signed, actions_open } }: { record: RecordCard }) {
  if (!signed && actions_open === 0) return null
  return (
    <span className="flex flex-wrap gap-x-3">
      {signed && <Remark icon={PenLine}>Signed</Remark>}
      {actions_open > 0 && (
        <Remark icon={Wrench}>
          {formatCount(actions_open)} {actions_open === 1 ? 'action' : 'actions'} open
        </Remark>
      )}
    </span>
  )
}

export function RecordCards({ records }: { records: readonly RecordCard[] }) {
  return (
    <ul aria-label="Past events" className="grid grid-cols-1 gap-3">
      {records.map((record) => (
        <li key={record.event} className="card grid grid-cols-1 gap-1">
          <p className="flex flex-wrap items-center gap-2 text-sm text-muted">
            <KindBadge kind={record.kind} />
            <span>Record {record.number}</span>
          </p>
          <Link to={addressOfRecord(record)} className="rec-title text-lg">
            {record.type || `Record ${record.number}`}
          </Link>
          <p>
            {record.site}: {record.buildings.join(', ')}
          </p>
          <p className="text-muted tabular-nums">
            {began(record)}, {took(record)}
          </p>
          <ResultOf record={record} />
          <Remarks record={record} />
        </li>
      ))}
    </ul>
  )
}

export type RecordsOrder = Required<Pick<RecordsFilter, 'sort' | 'direction'>>
/** Newest end first, which is the order of the numbers. */
export const newestFirst: RecordsOrder = { sort: 'number', direction: 'down' }

interface RecordsTableProps {
  records: readonly RecordCard[]
  order: RecordsOrder
  onOrder: (order: RecordsOrder) => void
}

/** The same where there is room for columns, to be sorted. The server sorts: it has all pages. */
export function RecordsTable({ records, order, onOrder }: RecordsTableProps) {
  const handleSort = (sort: string) =>
    onOrder({
      sort: sort as RecordsOrder['sort'],
      direction: order.sort === sort && order.direction === 'down' ? 'up' : 'down',
    })
  return (
    <Table
      caption="Past events"
      order={{ ...order, onSort: handleSort }}
      rows={records}
      keyOf={({ event }) => event}
      columns={[
        {
          head: 'Event',
          sort: 'type',
          cell: (record) => (
            <>
              <Link to={addressOfRecord(record)} className="rec-title">
                {record.type || `Record ${record.number}`}
              </Link>
              <span className="block text-sm font-normal text-muted">
                {record.site}: {record.buildings.join(', ')}
              </span>
            </>
          ),
        },
        { head: 'Kind', sort: 'kind', cell: ({ kind }) => <KindBadge kind={kind} /> },
        { head: 'Record', sort: 'number', number: true, cell: ({ number }) => number },
        { head: 'Began', sort: 'began', cell: began },
        { head: 'Duration', sort: 'duration', number: true, cell: took },
        {
          head: 'Result',
          sort: 'result',
          cell: (record) => (
            <>
              <ResultOf record={record} />
              <Remarks record={record} />
            </>
          ),
        },
      ]}
    />
  )
}
