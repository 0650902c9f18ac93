import type { EventRecord } from '../../calls/record.ts'
import { durationOf, textDeletedOn } from '../../figures.ts'
import { entryKind } from '../../journal-words.ts'
import type { Times } from '../../times.ts'
import { RecordSection } from '../parts/record-section.tsx'
import { FoldedTable } from '../parts/table.tsx'

export function DecisionsSection({ record: { decisions, timezone }, times }: { record: EventRecord; times: Times }) {
  return (
    <RecordSection id="decisions" title="Decisions">
      <FoldedTable
        words="Each decision"
        caption="Decisions"
        rows={decisions.map((decision, at) => ({ ...decision, key: at }))}
        keyOf={({ key }) => key}
        columns={[
          { head: 'Time', cell: ({ at }) => times.short(at) },
          { head: 'After', number: true, cell: ({ seconds }) => durationOf(seconds) },
          { head: 'What', cell: ({ action }) => entryKind(action) },
          { head: 'Who', cell: ({ by }) => (by ? `${by.name} (${by.role})` : '–') },
          {
            head: 'Words',
            cell: ({ words, deleted_at }) => (deleted_at ? textDeletedOn(deleted_at, timezone) : words || '–'),
          },
        ]}
      />
    </RecordSection>
  )
}
