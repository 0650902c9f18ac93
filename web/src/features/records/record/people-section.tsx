import type { EventRecord } from '@evac/contract/calls/records/record.ts'
import type { EventUid } from '@evac/contract/ids.ts'
import { eachStatus, type StatusTotals, safetyStatuses, statusShortLabel } from '@evac/contract/vocabulary.ts'
import { useQuery } from '@tanstack/react-query'
import { meQuery } from '../../../console/me.data.ts'
import { formatCount } from '../../../lib/counts.ts'
import { statusLook } from '../../../people/status-look.ts'
import { Figure, Figures, Lasted } from '../parts/figures.tsx'
import { RecordSection } from '../parts/section.tsx'
import { isConsole } from '../parts/side.tsx'
import type { Times } from '../parts/times.ts'
import { Names } from './names.tsx'
import { PeopleCurve } from './people-curve.tsx'

interface PeopleProps {
  event: EventUid
  record: EventRecord
  times: Times
}

export function PeopleSection({ event, record, times }: PeopleProps) {
  const { end, refusals, everyone_after, curve } = record.people
  return (
    <RecordSection id="people" title="People">
      <StatesAtEnd end={end} />
      <Figures>
        <Figure name="To be accounted for">{formatCount(end.total)}</Figure>
        <Figure name="Everyone accounted for after">
          <Lasted seconds={everyone_after} why={everyoneWhy(end)} />
        </Figure>
        <Figure name="Refused to leave">{formatCount(refusals)}</Figure>
      </Figures>
      <PeopleCurve curve={curve} seconds={record.seconds} />
      <div className="rec-links">
        {end.unknown > 0 && <Names {...{ event, times }} list="unaccounted" button="Show who was not accounted for" />}
        {end.danger > 0 && <Names {...{ event, times }} list="danger" button="Show who was in danger" />}
        {refusals > 0 && <Names {...{ event, times }} list="refused" button="Show who refused to leave" />}
      </div>
    </RecordSection>
  )
}

const everyoneWhy = ({ total }: StatusTotals) =>
  total === 0 ? 'There was nobody to account for.' : 'Not everyone was accounted for.'

const word = eachStatus((status) => (status === 'danger' ? 'In danger' : statusShortLabel[status]))

/** Safe, unknown and in danger when it ended. */
function StatesAtEnd({ end }: { end: StatusTotals }) {
  return (
    <Figures>
      {safetyStatuses.map((status) => {
        const { icon: Icon, ink, edge } = statusLook[status]
        return (
          <div key={status} className={edge}>
            <dt className="flex items-center gap-1.5">
              <Icon aria-hidden size={16} className={ink} />
              {word[status]}
            </dt>
            <dd>{formatCount(end[status])}</dd>
          </div>
        )
      })}
    </Figures>
  )
}

/** AAR-18: people with an evacuation plan. Their plans stand in no record. */
export function PlansSection({ event, record, times }: PeopleProps) {
  const { end, last_safe } = record.plans
  // of administrators only those with the mark see who has a plan (PPL-30)
  const { data: me } = useQuery({ ...meQuery, enabled: isConsole() })
  const maySeePlanned = !isConsole() || me?.sees_plans === true
  return (
    <RecordSection id="plans" title="Plans">
      {end.total === 0 ? (
        <p className="text-muted">Nobody with an evacuation plan was in the event.</p>
      ) : (
        <>
          <StatesAtEnd end={end} />
          <Figures>
            <Figure name="People with a plan">{formatCount(end.total)}</Figure>
            <Figure name="The last was safe after">
              <Lasted seconds={last_safe} why="None was safe at the end." />
            </Figure>
          </Figures>
          {maySeePlanned && <Names {...{ event, times }} list="plans" button="Show names" />}
        </>
      )}
    </RecordSection>
  )
}
