import { useId } from 'react'
import { type MappedColumn, mappedColumns } from '#kernel/console-kinds.ts'
import { Notice } from '#web/ui/notice.tsx'
import { columnWord } from './column-words.ts'
import { type Chosen, isNamed, type OtherHeadings } from './other-headings.ts'

const notes: Partial<Record<MappedColumn, string>> = {
  full_name: "'Ann Smith' or 'Smith, Ann': without a comma the last word is the last name.",
  building: 'By its name or code, beside the floor.',
  floor: "As in Places, by its name or code. Without a building: 'Building - Floor'. A room is not a floor.",
}

interface MatchColumnsProps {
  table: OtherHeadings
  chosen: Chosen
  onChange: (column: MappedColumn, heading: string) => void
}

/** Our columns beside those of a table with other headings. */
export function MatchColumns({ table, chosen, onChange }: MatchColumnsProps) {
  const id = useId()
  return (
    <section aria-labelledby={id} className="card grid grid-cols-1 gap-4">
      <div className="grid gap-1">
        <h2 id={id} className="text-lg font-bold">
          Match the columns
        </h2>
        <p className="text-sm text-muted">
          <span className="wrap-anywhere">{table.name}</span> has its own headings. Choose the one for each of our
          columns.
        </p>
      </div>
      <div className="grid grid-cols-1 gap-3">
        <div
          aria-hidden
          className="hidden grid-cols-[8rem_minmax(0,18rem)_minmax(0,1fr)] gap-x-4 text-sm font-semibold text-muted sm:grid"
        >
          <span>Our column</span>
          <span>Your column</span>
          <span>First cell</span>
        </div>
        {mappedColumns.map((column) => (
          <Row key={column} column={column} table={table} chosen={chosen[column] ?? ''} onChange={onChange} />
        ))}
      </div>
      {!isNamed(chosen) && (
        <Notice variant="warning">Choose a first name, a last name or both, or the full name alone.</Notice>
      )}
      <p className="text-sm text-muted">
        People are recognised by their code, or else by an email, a mobile or a full name that only one of them has. New
        people get a code. An empty cell leaves what is there.
      </p>
    </section>
  )
}

interface RowProps extends Pick<MatchColumnsProps, 'table' | 'onChange'> {
  column: MappedColumn
  chosen: string
}

function Row({ column, table, chosen, onChange }: RowProps) {
  const id = useId()
  const note = notes[column]
  const sample = table.samples.get(chosen)
  return (
    <div className="grid grid-cols-[7rem_minmax(0,1fr)] items-center gap-x-4 gap-y-1 sm:grid-cols-[8rem_minmax(0,18rem)_minmax(0,1fr)]">
      <label htmlFor={id} className="font-semibold">
        {columnWord(column)}
      </label>
      <select
        id={id}
        className="field truncate"
        value={chosen}
        aria-describedby={`${id}-below`}
        onChange={({ target }) => onChange(column, target.value)}
      >
        <option value="">Leave out</option>
        {table.headings.map((heading) => (
          <option key={heading} value={heading}>
            {heading}
          </option>
        ))}
      </select>
      <div id={`${id}-below`} className="col-start-2 min-w-0 text-sm sm:col-start-3">
        {sample && <p className="truncate">{sample}</p>}
        {note && chosen && <p className="text-muted">{note}</p>}
      </div>
    </div>
  )
}
