import type { EventUid } from '#kernel/ids.ts'
import { eachStatus, type StatusTotals, safetyStatuses, statusShortLabel } from '#kernel/vocabulary.ts'
import { statusLook } from '#web/evacuees/status-look.ts'
import { formatCount } from '#web/lib/counts.ts'
import type { EventRecord } from '../../calls/record.ts'
import type { RecordFigure } from '../../kinds.ts'
import type { Times } from '../../times.ts'
import { CorrectFigure } from '../additions/correcting.tsx'
import { CorrectionsHere } from '../parts/corrections.tsx'
import { Figure, Figures, Lasted } from '../parts/figures.tsx'
import { RecordSection } from '../parts/record-section.tsx'
import { useSay } from '../parts/say.ts'
import { Names } from './names.tsx'
import { PeopleCurve } from './people-curve.tsx'

interface PeopleProps {
  event: EventUid
  record: EventRecord
  times: Times
}

const figures: RecordFigure[] = [...safetyStatuses, 'people', 'everyone_after', 'refused']

export function PeopleSection({ event, record, times }: PeopleProps) {
  const { end, refusals, agreed, once_danger: once, everyone_after, curve } = record.people
  const say = useSay()
  return (
    <RecordSection id="people" title="People">
      <StatesAtEnd end={end} />
      {safetyStatuses.map((status) => (
        <CorrectionsHere key={status} of={{ figure: status }} name={say(word[status])} />
      ))}
      <Figures>
        <Figure name="To be accounted for" of="people">
          {formatCount(end.total)}
        </Figure>
        <Figure name="Everyone accounted for after" of="everyone_after">
          <Lasted seconds={everyone_after} why={everyoneWhy(end)} />
        </Figure>
        <Figure name={say('Refused to leave')} of="refused">
          {formatCount(refusals)}
        </Figure>
        {agreed !== undefined && refusals > 0 && (
          <Figure name={say('Later left or agreed to')}>{formatCount(agreed)}</Figure>
        )}
        {once && once.people > 0 && <Figure name={say('In danger and later safe')}>{formatCount(once.people)}</Figure>}
      </Figures>
      <PeopleCurve curve={curve} seconds={record.seconds} />
      <div className="rec-links">
        {end.unknown > 0 && <Names {...{ event, times }} list="unaccounted" button="Show who was not accounted for" />}
        {end.danger > 0 && <Names {...{ event, times }} list="danger" button={say('Show who was in danger')} />}
        {refusals > 0 && <Names {...{ event, times }} list="refused" button={say('Show who refused to leave')} />}
      </div>
      <CorrectFigure part="People" figures={figures} />
    </RecordSection>
  )
}

const everyoneWhy = ({ total }: StatusTotals) =>
  total === 0 ? 'There was no one to account for.' : 'Not everyone was accounted for.'

const word = eachStatus((status) => (status === 'danger' ? 'In danger' : statusShortLabel[status]))

/** Safe, unknown and in danger when it ended. */
export function StatesAtEnd({ end }: { end: StatusTotals }) {
  const say = useSay()
  return (
    <dl className="rec-figures rec-states">
      {safetyStatuses.map((status) => {
        const { icon: Icon, ink, edge } = statusLook[status]
        return (
          <div key={status} className={edge}>
            <dt className="flex items-center gap-1.5">
              <Icon aria-hidden size={16} className={`shrink-0 ${ink}`} />
              {say(word[status])}
            </dt>
            <dd>{formatCount(end[status])}</dd>
          </div>
        )
      })}
    </dl>
  )
}
