import { formatCount } from '#web/lib/counts.ts'
import type { EventRecord } from '../../calls/record.ts'
import { durationOf, secondsCounted, sinceWhat } from '../../figures.ts'
import type { RecordFigure } from '../../kinds.ts'
import { CorrectFigure } from '../additions/correcting.tsx'
import { StepChart } from '../parts/chart.tsx'
import { Figure, Figures, Lasted } from '../parts/figures.tsx'
import { RecordSection } from '../parts/record-section.tsx'
import { Table } from '../parts/table.tsx'

const figures: RecordFigure[] = [
  ...(['wardens', 'reported_in', 'not_available', 'half_answered', 'most_answered', 'nearly_all_answered'] as const),
]

/** Who answered and when, and which floors had a warden on duty. */
export function WardensSection({ record }: { record: EventRecord }) {
  const { wardens, floors } = record
  const [seconds, since] = [secondsCounted(record), sinceWhat(record)]
  const { total, answered, coverage } = wardens
  const why = (share: number) => `Fewer than ${share}% of the wardens answered.`
  const most = Math.max(0, ...coverage.map(([, count]) => count))
  return (
    <RecordSection id="wardens" title="Wardens">
      <Figures>
        <Figure name="Wardens" of="wardens">
          {formatCount(total)}
        </Figure>
        <Figure name="Reported in" of="reported_in">
          {formatCount(wardens.reported_in)}
        </Figure>
        <Figure name="Not available" of="not_available">
          {formatCount(wardens.not_available)}
        </Figure>
      </Figures>
      {total > 0 && (
        <Figures>
          <Figure name="50% had answered after" of="half_answered">
            <Lasted seconds={answered.half} why={why(50)} />
          </Figure>
          <Figure name="80% had answered after" of="most_answered">
            <Lasted seconds={answered.most} why={why(80)} />
          </Figure>
          <Figure name="90% had answered after" of="nearly_all_answered">
            <Lasted seconds={answered.nearly_all} why={why(90)} />
          </Figure>
        </Figures>
      )}
      {total > 0 && <Response wardens={wardens} seconds={seconds} since={since} />}
      {floors.total > 0 && (
        <StepChart
          title="Floors with a warden on duty"
          unit="Floors"
          since={since}
          description={`At best ${most} of ${floors.total} floors.`}
          points={coverage}
          seconds={seconds}
          of={floors.total}
          table={(rows) => (
            <Table
              caption="Floors with a warden on duty"
              rows={rows}
              keyOf={([at]) => at}
              columns={[
                { head: 'From', cell: ([at]) => durationOf(at) },
                { head: 'Floors', number: true, cell: ([, count]) => `${count} of ${floors.total}` },
              ]}
            />
          )}
        />
      )}
      <NeverCovered wardens={wardens} total={floors.total} />
      <CorrectFigure part="Wardens" figures={figures} />
    </RecordSection>
  )
}

interface ResponseProps {
  wardens: EventRecord['wardens']
  seconds: number
  since: string
}

/** Each answer at its second. Older records have them by the minute. */
function Response({ wardens, seconds, since }: ResponseProps) {
  const { total, answered_by_minute: byMinute } = wardens
  const steps =
    wardens.answered_steps ?? byMinute.map((count, minute) => [Math.min((minute + 1) * 60, seconds), count] as const)
  const title = 'Wardens who had answered'
  return (
    <StepChart
      title={title}
      unit="Wardens"
      since={since}
      description={`${steps.at(-1)?.[1] ?? 0} of ${total} wardens by the end.`}
      points={[[0, 0], ...steps]}
      seconds={seconds}
      of={total}
      table={() => (
        <Table
          caption={title}
          rows={steps}
          keyOf={([at]) => at}
          columns={[
            { head: 'After', cell: ([at]) => durationOf(at) },
            { head: 'Wardens', number: true, cell: ([, count]) => `${count} of ${total}` },
          ]}
        />
      )}
    />
  )
}

function NeverCovered({ wardens, total }: { wardens: EventRecord['wardens']; total: number }) {
  const { never_covered: n, names_never_covered: names } = wardens
  if (n === 0) return null
  const more = n - names.length
  return (
    <p>
      <strong>
        {n} of {total} {total === 1 ? 'floor' : 'floors'} had no warden, and nothing was recorded there
      </strong>
      {names.length > 0 && `: ${names.join(', ')}`}
      {names.length > 0 && more > 0 && ` and ${more} more`}.
    </p>
  )
}
