import { useQuery } from '@tanstack/react-query'
import type { EventUid } from '#kernel/ids.ts'
import { meQuery } from '#web/console/me.data.ts'
import { StatusBadge } from '#web/evacuees/status-badge.tsx'
import { statusWord } from '#web/evacuees/status-look.ts'
import { formatCount } from '#web/lib/counts.ts'
import type { EventRecord } from '../../calls/record.ts'
import type { RecordFigure } from '../../kinds.ts'
import type { Times } from '../../times.ts'
import { CorrectFigure } from '../additions/correcting.tsx'
import { Figure, Figures, Lasted } from '../parts/figures.tsx'
import { RecordSection } from '../parts/record-section.tsx'
import { useSay } from '../parts/say.ts'
import { FoldedTable } from '../parts/table.tsx'
import { isConsole } from '../parts/warden-or-console.tsx'
import { Names } from './names.tsx'
import { StatesAtEnd } from './people-section.tsx'

const figures: RecordFigure[] = ['planned', 'planned_safe_after']
const notSafe = 'None was safe at the end.'

/** People with an evacuation plan. Their plans stand in no record, their names are asked for. */
export function PlansSection({ event, record, times }: { event: EventUid; record: EventRecord; times: Times }) {
  const { end, last_safe, floors = [], people = [] } = record.plans
  // of administrators only those with the mark see who has a plan
  const { data: me } = useQuery({ ...meQuery, enabled: isConsole() })
  const say = useSay()
  const maySeePlanned = !isConsole() || me?.sees_plans === true
  return (
    <RecordSection id="plans" title="Plans">
      {end.total === 0 ? (
        <p className="text-muted">No one with an evacuation plan was in the event.</p>
      ) : (
        <>
          <StatesAtEnd end={end} />
          <Figures>
            <Figure name="People with a plan" of="planned">
              {formatCount(end.total)}
            </Figure>
            <Figure name={say('The last was safe after')} of="planned_safe_after">
              <Lasted seconds={last_safe} why={say(notSafe)} />
            </Figure>
          </Figures>
          {floors.length > 0 && <ByFloor floors={floors} />}
          {people.length > 0 && <OneByOne people={people} all={end.total} />}
          {maySeePlanned && <Names {...{ event, times }} list="plans" button="Show names" />}
          <CorrectFigure part="Plans" figures={figures} />
        </>
      )}
    </RecordSection>
  )
}

type Plans = EventRecord['plans']

function ByFloor({ floors }: { floors: NonNullable<Plans['floors']> }) {
  const say = useSay()
  return (
    <FoldedTable
      words="Floor by floor"
      caption="People with a plan by floor"
      rows={floors}
      keyOf={({ floor, building }) => floor ?? building}
      columns={[
        { head: 'Floor', cell: ({ place }) => place },
        { head: 'People', number: true, cell: ({ people }) => formatCount(people.total) },
        { head: say('Safe'), number: true, cell: ({ people }) => formatCount(people.safe) },
        { head: 'Unknown', number: true, cell: ({ people }) => formatCount(people.unknown) },
        { head: say('Danger'), number: true, cell: ({ people }) => formatCount(people.danger) },
        {
          head: say('Last safe after'),
          number: true,
          cell: (row) => <Lasted seconds={row.last_safe} why={say(notSafe)} />,
        },
      ]}
    />
  )
}

/** 'Person 1 of 2': who they are is read by a press, with a reason. */
function OneByOne({ people, all }: { people: NonNullable<Plans['people']>; all: number }) {
  const say = useSay()
  return (
    <FoldedTable
      words="Person by person"
      caption="People with a plan"
      rows={people.map((one, at) => ({ ...one, nth: at + 1 }))}
      keyOf={({ nth }) => nth}
      columns={[
        { head: 'Person', cell: ({ nth }) => `Person ${formatCount(nth)} of ${formatCount(all)}` },
        { head: 'Where', cell: ({ place }) => place },
        { head: 'State', cell: ({ status }) => <StatusBadge status={status} label={say(statusWord[status])} /> },
        {
          head: say('Safe after'),
          number: true,
          cell: (row) => <Lasted seconds={row.safe_after} why={say('Not safe.')} />,
        },
      ]}
    />
  )
}
