import { ArrowDown, ArrowUp, Equal, type LucideIcon } from 'lucide-react'
import type { ReactNode } from 'react'
import { formatDateIn } from '#web/console/zone-time.ts'
import { Link } from '#web/ui/link.tsx'
import type { EventRecord } from '../../calls/record.ts'
import { durationOf, lastClearOf, textsBy } from '../../figures.ts'
import { None } from '../parts/none.tsx'
import { RecordSection } from '../parts/record-section.tsx'
import { kindName } from '../parts/signs.tsx'
import { Table } from '../parts/table.tsx'
import { addressOf } from '../parts/warden-or-console.tsx'

type Earlier = NonNullable<EventRecord['compared']>
interface Line {
  name: string
  now: number | null
  before: number | null
  words: (value: number) => string
  /** The words of less and of more, and whether less is better. */
  less: string
  more: string
  why: string
}

const ofAllBuildings = new Set(['Half of the wardens answered', 'Floors covered at best', 'Texts delivered'])

const percent = (share: number) => `${Math.round(share * 100)}%`
const plain = (value: number) => String(Math.round(value))
const shareOf = (part: number, whole: number) => (whole === 0 ? null : part / whole)

function linesOf(record: EventRecord, earlier: Earlier): Line[] {
  const { written, delivered } = textsBy(record.texts.purposes)
  const { end } = record.people
  const own = earlier.own ?? { last_clear: lastClearOf(record), unaccounted: end.unknown + end.danger }
  const duration = { words: durationOf, less: 'sooner', more: 'later' }
  const share = { words: percent, less: 'lower', more: 'higher' }
  return [
    {
      name: 'Last floor clear',
      now: own.last_clear,
      before: earlier.last_clear,
      ...duration,
      why: 'Not every floor was clear.',
    },
    {
      name: 'Half of the wardens answered',
      now: record.wardens.answered.half,
      before: earlier.half_answered,
      ...duration,
      why: 'Fewer than half answered.',
    },
    {
      name: 'Floors covered at best',
      now: shareOf(Math.max(0, ...record.wardens.coverage.map(([, count]) => count)), record.floors.total),
      before: shareOf(earlier.covered, earlier.floors),
      ...share,
      why: 'There were no floors.',
    },
    {
      name: 'Texts delivered',
      now: shareOf(delivered, written),
      before: earlier.delivered,
      ...share,
      why: 'No texts were written.',
    },
    {
      name: 'Not accounted for',
      now: own.unaccounted,
      before: earlier.unaccounted,
      words: plain,
      less: 'fewer',
      more: 'more',
      why: '',
    },
  ]
}

/** Beside the latest earlier one of its kind, by word and arrow. */
export function ComparedSection({ record }: { record: EventRecord }) {
  const { compared, kind } = record
  return (
    <RecordSection id="compared" title="Compared">
      {compared ? (
        <Comparison record={record} earlier={compared} />
      ) : (
        <p className="text-muted">There is no earlier {kindName[kind]} to compare with.</p>
      )}
    </RecordSection>
  )
}

function Comparison({ record, earlier }: { record: EventRecord; earlier: Earlier }) {
  const shown = (value: number | null, { words, why }: Line): ReactNode =>
    value === null ? <None why={why} /> : words(value)
  return (
    <>
      <p>
        With{' '}
        <Link to={addressOf(`/${earlier.event}`)} className="rec-title">
          Record {earlier.number}
        </Link>
        , the {kindName[record.kind]} of {formatDateIn(earlier.started_at, record.timezone)}. They have{' '}
        {earlier.common_floors} {earlier.common_floors === 1 ? 'floor' : 'floors'} in common: the clear time is for
        those.{earlier.same_buildings === false && ' Only the buildings of both are compared.'}
      </p>
      <Table
        caption="Compared"
        rows={linesOf(record, earlier).filter(
          ({ name }) => earlier.same_buildings !== false || !ofAllBuildings.has(name),
        )}
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

function Change({ line: { now, before, words, less, more } }: { line: Line }) {
  if (now === null || before === null) return '–'
  const change = now - before
  const [Icon, said]: [LucideIcon, string] =
    words(Math.abs(change)) === words(0)
      ? [Equal, 'The same']
      : [change < 0 ? ArrowDown : ArrowUp, `${words(Math.abs(change))} ${change < 0 ? less : more}`]
  return (
    <span className="inline-flex items-center gap-1.5">
      <Icon aria-hidden size={16} className="shrink-0" />
      {said}
    </span>
  )
}
