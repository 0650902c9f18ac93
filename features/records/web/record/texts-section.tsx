import { formatCount } from '#web/lib/counts.ts'
import type { EventRecord } from '../../calls/record.ts'
import { durationOf, textsBy } from '../../figures.ts'
import type { RecordFigure } from '../../kinds.ts'
import { noTextsSent, purposeWords } from '../../words.ts'
import { CorrectFigure } from '../additions/correcting.tsx'
import { Figure, Figures, Lasted } from '../parts/figures.tsx'
import { None } from '../parts/none.tsx'
import { RecordSection } from '../parts/record-section.tsx'
import { type Column, FoldedTable } from '../parts/table.tsx'

type Purpose = EventRecord['texts']['purposes'][number]
type Became = keyof ReturnType<typeof textsBy>
const counts: readonly (readonly [string, Became])[] = [
  ['Written', 'written'],
  ['Delivered', 'delivered'],
  ['Failed', 'failed'],
  ['Without a receipt', 'withoutReceipt'],
  ['Not sent', 'notSent'],
]

const columns: [Column<Purpose>, ...Column<Purpose>[]] = [
  { head: 'Text', cell: ({ purpose }) => purposeWords[purpose] ?? purpose },
  ...counts.map(([head, name]) => ({
    head,
    number: true as const,
    cell: (row: Purpose) => formatCount(textsBy([row])[name]),
  })),
]

/** Half and 90 % of the texts of a purpose, or why nothing is known. */
const both = (half: number | null | undefined, most: number | null | undefined, why: string) =>
  half === null || half === undefined ? <None why={why} /> : `${durationOf(half)}, ${durationOf(most ?? half)}`
const times: [Column<Purpose>, ...Column<Purpose>[]] = [
  { head: 'Text', cell: ({ purpose }) => purposeWords[purpose] ?? purpose },
  {
    head: 'Delivered: half, 90%',
    number: true,
    cell: ({ delivered_half, delivered_most }) => both(delivered_half, delivered_most, 'No receipts to go by.'),
  },
  { head: 'Answered', number: true, cell: ({ answered }) => formatCount(answered ?? 0) },
  {
    head: 'Answered: half, 90%',
    number: true,
    cell: ({ answered_half, answered_most }) => both(answered_half, answered_most, 'No one answered.'),
  },
]

const figures: RecordFigure[] = ['half_delivered', 'most_delivered']

export function TextsSection({ record: { texts } }: { record: EventRecord }) {
  return (
    <RecordSection id="texts" title="Texts">
      {texts.purposes.length === 0 ? (
        <p className="text-muted">{texts.allowed ? 'No texts were written.' : noTextsSent}</p>
      ) : (
        <>
          <FoldedTable
            few={1}
            words="By purpose"
            caption="Texts"
            rows={texts.purposes}
            keyOf={({ purpose }) => purpose}
            columns={columns}
          />
          <FoldedTable
            few={1}
            words="Times by purpose"
            caption="Times of texts"
            rows={texts.purposes}
            keyOf={({ purpose }) => purpose}
            columns={times}
          />
          <Figures>
            <Figure name="Half were delivered within" of="half_delivered">
              <Lasted seconds={texts.delivered_half} why="No receipts to go by." />
            </Figure>
            <Figure name="90% were delivered within" of="most_delivered">
              <Lasted seconds={texts.delivered_most} why="No receipts to go by." />
            </Figure>
          </Figures>
          <CorrectFigure part="Texts" figures={figures} />
        </>
      )}
      {texts.skipped_because.length > 0 && (
        <div>
          <h3 className="font-semibold">Why texts were not sent</h3>
          <ul>
            {texts.skipped_because.map(({ reason, texts: n }) => (
              <li key={reason}>
                {formatCount(n)}: {reason}
              </li>
            ))}
          </ul>
        </div>
      )}
    </RecordSection>
  )
}
