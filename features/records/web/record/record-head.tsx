import { formatCount } from '#web/lib/counts.ts'
import type { EventRecord } from '../../calls/record.ts'
import { actionsInWords, placesToGo } from '../../doing.ts'
import { durationOf, lastClearOf, messageOf } from '../../figures.ts'
import { ofKind, outcomeWords, signedWords, sinceWords } from '../../standing.ts'
import type { Times } from '../../times.ts'
import { Figure, Figures, Lasted } from '../parts/figures.tsx'
import { None } from '../parts/none.tsx'
import type { ReadRecord } from '../parts/records.data.ts'
import { useSay } from '../parts/say.ts'
import { Result } from '../parts/signs.tsx'
import { StatesAtEnd } from './people-section.tsx'

const named = (by: { name: string; role: string } | null) =>
  by ? `${by.name} (${by.role})` : '–, no one was signed in'
/** Too long for half of the line. */
const isLong = (value: string) => value.length > 30 || undefined
const yes = (on: boolean) => (on ? 'Yes' : 'No')

interface RecordHeadProps {
  answer: ReadRecord
  record: EventRecord
  times: Times
}

export function RecordHead({ answer, record, times }: RecordHeadProps) {
  const { kind, announced, live_from, live_by, shift } = record
  const facts: [name: string, value: string | false][] = [
    ['Site', record.site.name],
    ['Buildings', buildingsOf(record)],
    ['Actions', actionsInWords(record) ?? false],
    ['Where to', placesToGo(record) ?? false],
    ['Start', times.moment(record.started_at)],
    ['End', times.moment(record.ended_at)],
    ['Duration', durationOf(record.seconds)],
    ['Shift', shift ?? false],
    [
      'Told in advance',
      kind === 'drill' || live_from ? announced !== null && (announced ? 'Announced' : 'Unannounced') : false,
    ],
    ['Made live', live_from !== null && `${times.short(live_from)} by ${named(live_by)}`],
    ['Started by', named(record.started_by)],
    ['Ended by', named(record.ended_by)],
    ['Message', messageOf(record) || '–, none was written'],
    ['Message to everyone', yes(record.toggles.broadcast)],
    ['Alert to wardens', yes(record.toggles.alert)],
  ]
  return (
    <section aria-label="Header" className="card grid grid-cols-1 gap-3">
      <h2 className="text-2xl leading-tight font-bold">{record.type}</h2>
      <Result result={record.result} />
      <Standing answer={answer} record={record} times={times} />
      <Answer record={record} />
      <dl className="rec-facts">
        {facts.map(
          ([name, value]) =>
            value && (
              <div key={name} data-long={isLong(value)}>
                <dt>{name}</dt>
                <dd>{value}</dd>
              </div>
            ),
        )}
      </dl>
      <p className="text-sm text-muted">{times.zone}</p>
    </section>
  )
}

/** What it was, who signed it, and what came since it was written. */
function Standing({ answer: { additions, arrived_late }, record, times }: RecordHeadProps) {
  const outcome = outcomeWords(record.kind, additions)
  return (
    <div className="grid grid-cols-1 gap-1">
      {outcome && <p>{outcome}</p>}
      {signedWords(additions, times).map((signed) => (
        <p key={signed}>{signed}</p>
      ))}
      <p>{sinceWords(additions, arrived_late)}</p>
      {ofKind(additions, 'correction').length > 0 && (
        <a href="#corrections" className="rec-evidence">
          Corrections
        </a>
      )}
    </div>
  )
}

/** What everyone asks first: who was out when it ended, and how soon the floors were clear. */
function Answer({ record }: { record: EventRecord }) {
  const { has_clear_status, clear, total } = record.floors
  const say = useSay()
  return (
    <>
      <StatesAtEnd end={record.people.end} />
      <Figures>
        <Figure name={say('Floors clear')}>
          {has_clear_status ? (
            `${formatCount(clear)} of ${formatCount(total)}`
          ) : (
            <None why={say('No status means clear.')} />
          )}
        </Figure>
        <Figure name={say('Last floor clear after')}>
          <Lasted seconds={lastClearOf(record)} why={say('Not every floor was clear.')} />
        </Figure>
      </Figures>
    </>
  )
}

function buildingsOf({ buildings }: EventRecord): string {
  const words = buildings.map(({ name, joined, left }) => {
    const moves = [
      joined > 0 && `joined after ${durationOf(joined)}`,
      left !== null && `left after ${durationOf(left)}`,
    ]
    const said = moves.filter(Boolean).join(', ')
    return said ? `${name} (${said})` : name
  })
  return words.join(', ') || '–, none in your areas'
}
