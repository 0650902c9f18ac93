import {
  CircleAlert,
  Clock,
  EllipsisVertical,
  FileWarning,
  HandHelping,
  History,
  type LucideIcon,
  Pencil,
  ServerOff,
  ShieldAlert,
  UserX,
} from 'lucide-react'
import { useState } from 'react'
import { IconButton } from '#web/ui/icon-button.tsx'
import { BottomSheet, SheetChoice } from '#web/ui/popups/bottom-sheet.tsx'
import type { EventRecord } from '../../calls/record.ts'
import type { TimelineEntry } from '../../calls/records.ts'
import { durationOf, sinceWords } from '../../figures.ts'
import type { TimelineMark } from '../../kinds.ts'
import type { Addition } from '../../standing.ts'
import type { Times } from '../../times.ts'
import { markWords } from '../../words.ts'
import { CorrectionsOf } from '../parts/corrections.tsx'
import { useSay } from '../parts/say.ts'
import { Table } from '../parts/table.tsx'
import { isConsole } from '../parts/warden-or-console.tsx'

const markLook: Record<TimelineMark, { icon: LucideIcon; ink: string }> = {
  danger: { icon: CircleAlert, ink: 'text-danger-ink' },
  refusal: { icon: UserX, ink: 'text-warning-ink' },
  help: { icon: HandHelping, ink: 'text-danger-ink' },
  outage: { icon: ServerOff, ink: 'text-warning-ink' },
  broken: { icon: ShieldAlert, ink: 'text-danger-ink' },
  changed: { icon: FileWarning, ink: 'text-danger-ink' },
  missing: { icon: FileWarning, ink: 'text-danger-ink' },
}

/** What is not to be overlooked, by icon and word; a bar at the edge of the row has its colour. */
function Mark({ mark }: Pick<TimelineEntry, 'mark'>) {
  const say = useSay()
  if (!mark) return null
  const { icon: Icon, ink } = markLook[mark]
  return (
    <span className={`flex items-center gap-1.5 text-sm font-semibold ${ink}`}>
      <Icon aria-hidden size={16} className="shrink-0" />
      {say(markWords[mark])}
    </span>
  )
}

interface EntriesProps {
  entries: readonly TimelineEntry[]
  record: EventRecord
  corrections: readonly Addition<'correction'>[]
  times: Times
  onCorrect: (entry: TimelineEntry) => void
}

/** '10:04:11', and 42 s later than it was seen. Overruled: a newer danger stood. */
function Seen({ entry: { seen_at, late, overruled }, times }: { entry: TimelineEntry; times: Times }) {
  return (
    <span className="flex flex-wrap gap-x-3 text-sm tabular-nums">
      {seen_at && (
        <span className={`flex items-center gap-1 ${late === null ? 'text-muted' : 'text-warning-ink'}`}>
          {late !== null && <Clock aria-hidden size={16} className="shrink-0" />}
          seen {times.short(seen_at)}
          {late !== null && `, ${late < 60 ? `${late} s` : durationOf(late)} late`}
        </span>
      )}
      {overruled && (
        <span className="flex items-center gap-1 font-semibold">
          <History aria-hidden size={16} className="shrink-0" />
          overruled
        </span>
      )}
    </span>
  )
}

/** The clock, and how long after the start. */
function When({
  entry: { recorded_at },
  record,
  times,
}: { entry: TimelineEntry } & Pick<EntriesProps, 'record' | 'times'>) {
  const since = sinceWords(record, recorded_at)
  return (
    <>
      <time dateTime={recorded_at} className="whitespace-nowrap">
        {times.short(recorded_at)}
      </time>
      {since && <span className="ml-2 whitespace-nowrap text-muted">{since}</span>}
    </>
  )
}

const whoOf = ({ who, role }: TimelineEntry) => (who ? `${who}${role ? ` (${role})` : ''}` : '–')

/** What may be done with an entry. Administrators read. */
function Menu({ entry, onCorrect }: { entry: TimelineEntry; onCorrect: EntriesProps['onCorrect'] }) {
  const [isOpen, setOpen] = useState(false)
  if (isConsole() || entry.mark === 'missing') return null
  return (
    <>
      <IconButton
        plain
        icon={EllipsisVertical}
        label={`More: ${entry.what}`}
        aria-haspopup="dialog"
        className="rec-icon print:hidden"
        onClick={() => setOpen(true)}
      />
      <BottomSheet open={isOpen} onClose={() => setOpen(false)} title={entry.what}>
        <SheetChoice
          first
          icon={Pencil}
          onChoose={() => {
            setOpen(false)
            onCorrect(entry)
          }}
        >
          Correct this
        </SheetChoice>
      </BottomSheet>
    </>
  )
}

/** One line per entry, on a phone. */
export function EntryList({ entries, record, corrections, times, onCorrect }: EntriesProps) {
  return (
    <ol aria-label="Timeline" className="grid grid-cols-1">
      {entries.map((entry) => (
        <li key={entry.id} className="rec-entry" data-mark={entry.mark}>
          <div className="min-w-0 flex-1 grid grid-cols-1 gap-1">
            <p className="flex flex-wrap justify-between gap-x-3 text-sm text-muted tabular-nums">
              <span>
                <When {...{ entry, record, times }} />
              </span>
              <span>{whoOf(entry)}</span>
            </p>
            <Mark mark={entry.mark} />
            <p className="rec-words font-semibold">{entry.what}</p>
            <Seen entry={entry} times={times} />
            {entry.phone && <p className="text-sm text-muted">{entry.phone}</p>}
            <CorrectionsOf of={{ entry: entry.id }} corrections={corrections} times={times} />
          </div>
          <Menu entry={entry} onCorrect={onCorrect} />
        </li>
      ))}
    </ol>
  )
}

/** The same as a table, where there is room. */
export function EntryTable({ entries, record, corrections, times, onCorrect }: EntriesProps) {
  return (
    <Table
      caption="Timeline"
      fixedHead
      rows={entries}
      keyOf={({ id }) => id}
      markOf={({ mark }) => mark}
      columns={[
        { head: 'Time', cell: (entry) => <When {...{ entry, record, times }} /> },
        {
          head: 'What',
          cell: (entry) => (
            <span className="flex items-start justify-between gap-2">
              <span className="min-w-0">
                <Mark mark={entry.mark} />
                <span className="rec-words">{entry.what}</span>
                <CorrectionsOf of={{ entry: entry.id }} corrections={corrections} times={times} />
              </span>
              <Menu entry={entry} onCorrect={onCorrect} />
            </span>
          ),
        },
        { head: 'Who', cell: whoOf },
        {
          head: 'Seen',
          cell: (entry) => (
            <span className="rec-whole">
              <Seen entry={entry} times={times} />
            </span>
          ),
        },
        { head: 'Phone', cell: ({ phone }) => <span className="rec-whole">{phone ?? '–'}</span> },
      ]}
    />
  )
}
