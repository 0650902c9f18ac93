import { TriangleAlert } from 'lucide-react'
import type { Say } from '#kernel/action-words.ts'
import type { StatusTotals } from '#kernel/vocabulary.ts'
import { formatCount } from '#web/lib/counts.ts'
import type { EventRecord, RecordFloor } from '../../calls/record.ts'
import { durationOf } from '../../figures.ts'
import type { RecordFigure } from '../../kinds.ts'
import { noClearStatus } from '../../words.ts'
import { CorrectFigure } from '../additions/correcting.tsx'
import { breakable } from '../parts/breakable.tsx'
import { CorrectionsHere } from '../parts/corrections.tsx'
import { Figure, Figures, Lasted } from '../parts/figures.tsx'
import { None } from '../parts/none.tsx'
import { RecordSection } from '../parts/record-section.tsx'
import { useSay } from '../parts/say.ts'
import { type Column, FoldedTable } from '../parts/table.tsx'

const figures: RecordFigure[] = ['floors_clear']

/** Floors by the time to clear. */
export function FloorsSection({ record: { floors, buildings, wardens } }: { record: EventRecord }) {
  const { has_clear_status, total, clear, reported, rows } = floors
  const unseen = rows.filter(({ unseen_when_clear }) => unseen_when_clear > 0)
  const say = useSay()
  return (
    <RecordSection id="floors" title="Floors">
      {!has_clear_status && <p className="font-semibold">{noClearStatus}</p>}
      <Figures>
        <Figure name={say('Reported clear')} of="floors_clear">
          {has_clear_status ? (
            `${formatCount(reported ?? clear)} of ${formatCount(total)}`
          ) : (
            <None why={say('No status means clear.')} />
          )}
        </Figure>
        {has_clear_status && reported !== undefined && reported > clear && (
          <Figure name={say('Clear at the end')}>{formatCount(clear)}</Figure>
        )}
        {has_clear_status &&
          buildings.map(({ id, name, clear: at }) => (
            <Figure key={id} name={`${name} ${say('clear after')}`} of="clear_after" place={id}>
              <Lasted seconds={at} why={say('Not all of its floors were clear.')} />
            </Figure>
          ))}
      </Figures>
      {unseen.length > 0 && <Unseen floors={unseen} />}
      {rows.length === 0 ? (
        <p className="text-muted">No floors of the event are in your areas.</p>
      ) : (
        <FoldedTable
          words="Floor by floor"
          caption="Floors"
          rows={rows}
          keyOf={({ id }) => id}
          columns={columnsOf(has_clear_status, wardens.taken ?? [], say)}
        />
      )}
      <CorrectFigure part="Floors" figures={figures} places />
    </RecordSection>
  )
}

function Unseen({ floors }: { floors: readonly RecordFloor[] }) {
  const say = useSay()
  return (
    <div className="flex items-start gap-2">
      <TriangleAlert aria-hidden size={20} className="mt-0.5 shrink-0 text-warning-ink" />
      <div className="min-w-0 flex-1">
        <h3 className="font-semibold">{say('Cleared, but not everyone seen')}</h3>
        <ul>
          {floors.map(({ id, name, building_name, unseen_when_clear: n, first_clear }) => (
            <li key={id}>
              {building_name}, {name}: {formatCount(n)} {n === 1 ? 'was' : 'were'} {say('unknown or in danger')}
              {first_clear !== null && ` after ${durationOf(first_clear)}`}
            </li>
          ))}
        </ul>
      </div>
    </div>
  )
}

/** '12 safe, 2 unknown', without what no one is. */
function stateWords({ safe, unknown, danger, total }: StatusTotals): string {
  if (total === 0) return 'No one'
  const parts = [[safe, 'safe'] as const, [unknown, 'unknown'] as const, [danger, 'in danger'] as const]
  return parts.flatMap(([n, word]) => (n > 0 ? [`${formatCount(n)} ${word}`] : [])).join(', ')
}

function Clear({ floor, hasClearStatus }: { floor: RecordFloor; hasClearStatus: boolean }) {
  const say = useSay()
  const { first_clear, clear, clear_recorded, reopened } = floor
  if (!hasClearStatus) return <None why={say('No status means clear.')} />
  const notes = [
    clear !== null &&
      clear_recorded !== null &&
      clear_recorded - clear > 30 &&
      `recorded after ${durationOf(clear_recorded)}`,
    first_clear !== null && first_clear !== clear && `first after ${durationOf(first_clear)}`,
    reopened > 0 && `reopened ${reopened === 1 ? 'once' : `${reopened} times`}`,
  ].filter(Boolean)
  return (
    <div>
      <Lasted seconds={clear} why={say(first_clear === null ? 'Not reported clear.' : 'Not clear at the end.')} />
      {notes.length > 0 && <span className="rec-why block">{notes.join(', ')}</span>}
      <CorrectionsHere of={{ figure: 'clear_after', place: floor.id }} />
    </div>
  )
}

const spanOf = (from: number, to: number | null) => `${durationOf(from)} to ${to === null ? 'the end' : durationOf(to)}`

type Taken = NonNullable<EventRecord['wardens']['taken']>

/** Wardens of the floor and those who took it count; who took it is named. */
function Covered({ floor, taken }: { floor: RecordFloor; taken: Taken }) {
  const { id, wardens, first_covered, last_covered } = floor
  if (wardens === 0 || first_covered === null) return <None why="No warden was on duty for it." />
  return (
    <div>
      {wardens}, {spanOf(first_covered, last_covered)}
      {taken
        .filter(({ floor: of }) => of === id)
        .map(({ by, from, to }) => (
          <span key={from} className="rec-why block">
            Taken by {by?.name}, {spanOf(from, to)}
          </span>
        ))}
    </div>
  )
}

const columnsOf = (
  hasClearStatus: boolean,
  taken: Taken,
  say: Say,
): [Column<RecordFloor>, ...Column<RecordFloor>[]] => [
  {
    head: 'Floor',
    cell: ({ name, building_name }) => (
      <>
        {breakable(name)}
        <span className="block text-sm font-normal text-muted">{breakable(building_name)}</span>
      </>
    ),
  },
  { head: say('Clear after'), cell: (floor) => <Clear floor={floor} hasClearStatus={hasClearStatus} /> },
  { head: 'Order', number: true, cell: ({ order }) => order ?? <None why="" /> },
  { head: 'Status at the end', cell: ({ status }) => status },
  { head: 'People', cell: ({ people }) => say(stateWords(people)) },
  { head: say('Refused'), number: true, cell: ({ refusals }) => formatCount(refusals) },
  { head: 'Wardens on duty', cell: (floor) => <Covered floor={floor} taken={taken} /> },
]
