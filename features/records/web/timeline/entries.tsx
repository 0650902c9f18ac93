import { Clock, FileWarning, History } from 'lucide-react'
import type { TimelineEntry } from '../../calls/records.ts'
import { durationOf } from '../../figures.ts'
import type { Addition } from '../../standing.ts'
import type { Times } from '../../times.ts'
import { CorrectButton } from '../additions/correcting.tsx'
import { CorrectionsOf } from '../parts/corrections.tsx'
import { Table } from '../parts/table.tsx'
import { Adds, isConsole } from '../parts/warden-or-console.tsx'

/** 'seen 10:04:11, 42 s late'. */
function seenWords({ seen_at, late }: Pick<TimelineEntry, 'seen_at' | 'late'>, times: Times): string | null {
  if (!seen_at) return null
  const seen = `seen ${times.short(seen_at)}`
  if (late === null) return seen
  return `${seen}, ${late < 60 ? `${late} s` : durationOf(late)} late`
}

interface EntriesProps {
  entries: readonly TimelineEntry[]
  corrections: readonly Addition<'correction'>[]
  times: Times
  onCorrect: (entry: TimelineEntry) => void
}

function Remark({ entry, times }: { entry: TimelineEntry; times: Times }) {
  const seen = seenWords(entry, times)
  if (!seen && !entry.phone && !entry.overruled) return null
  return (
    <span className="flex flex-wrap gap-x-3 text-sm tabular-nums">
      {seen && (
        <span className={`flex items-center gap-1 ${entry.late === null ? 'text-muted' : 'text-warning-ink'}`}>
          {entry.late !== null && <Clock aria-hidden size={16} className="shrink-0" />}
          {seen}
        </span>
      )}
      {entry.overruled && (
        <span className="flex items-center gap-1 font-semibold">
          <History aria-hidden size={16} className="shrink-0" />
          overruled
        </span>
      )}
      {entry.phone && <span className="text-muted">{entry.phone}</span>}
    </span>
  )
}

const whoOf = ({ who, role }: TimelineEntry) => (who ? `${who}${role ? ` (${role})` : ''}` : '–')

/** What happened. An entry that does not match its log says so by an icon, too. */
const What = ({ entry: { what, mark } }: { entry: TimelineEntry }) =>
  mark === undefined ? (
    <span className="rec-words">{what}</span>
  ) : (
    <span className="rec-words flex items-center gap-1 font-semibold text-warning-ink">
      <FileWarning aria-hidden size={16} className="shrink-0" />
      {what}
    </span>
  )

const Correct = ({ entry, onCorrect }: { entry: TimelineEntry; onCorrect: EntriesProps['onCorrect'] }) =>
  entry.mark === 'missing' ? null : (
    <span className="whitespace-nowrap">
      <CorrectButton label="Correct this" about={entry.what} onPress={() => onCorrect(entry)} />
    </span>
  )

/** One line per entry, on a phone. */
export function EntryList({ entries, corrections, times, onCorrect }: EntriesProps) {
  return (
    <ol aria-label="Timeline" className="grid grid-cols-1">
      {entries.map((entry) => (
        <li key={entry.id} className="grid grid-cols-1 gap-1 border-b border-hairline py-2">
          <p className="flex flex-wrap justify-between gap-x-3 text-sm text-muted tabular-nums">
            <time dateTime={entry.recorded_at}>{times.short(entry.recorded_at)}</time>
            <span>{whoOf(entry)}</span>
          </p>
          <p className="font-semibold">
            <What entry={entry} />
          </p>
          <Remark entry={entry} times={times} />
          <CorrectionsOf of={{ entry: entry.id }} corrections={corrections} times={times} />
          <Adds>
            <div>
              <Correct entry={entry} onCorrect={onCorrect} />
            </div>
          </Adds>
        </li>
      ))}
    </ol>
  )
}

/** The same as a table, where there is room. */
export function EntryTable({ entries, corrections, times, onCorrect }: EntriesProps) {
  return (
    <Table
      caption="Timeline"
      fixedHead
      rows={entries}
      keyOf={({ id }) => id}
      columns={[
        {
          head: 'Recorded',
          cell: ({ recorded_at }) => (
            <time dateTime={recorded_at} className="whitespace-nowrap">
              {times.short(recorded_at)}
            </time>
          ),
        },
        {
          head: 'What',
          cell: (entry) => (
            <>
              <What entry={entry} />
              <CorrectionsOf of={{ entry: entry.id }} corrections={corrections} times={times} />
            </>
          ),
        },
        { head: 'Who', cell: whoOf },
        { head: 'Seen', cell: (entry) => <Remark entry={entry} times={times} /> },
        ...(isConsole()
          ? []
          : [{ head: 'Correction', cell: (entry: TimelineEntry) => <Correct entry={entry} onCorrect={onCorrect} /> }]),
      ]}
    />
  )
}
