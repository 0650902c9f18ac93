import type { ReactNode } from 'react'
import type { Say } from '#kernel/action-words.ts'
import { formatCount } from '#web/lib/counts.ts'
import { formatClock } from '#web/lib/time/server-clock.ts'
import type { BoardTotals } from '../../calls/board.ts'
import type { ShownBoard } from '../../calls/walls.ts'
import { causesInOrder, causeWords } from '../../words.ts'
import type { Picture } from '../reading/board-snapshot.ts'
import { slowSince } from '../reading/freshness.ts'
import { age, counted, percent } from './ages.ts'
import { sayOfAll } from './say.ts'
import { Sign, type SignName } from './sign.tsx'

interface TotalsProps {
  picture: Picture
  /** Seconds since the event began. */
  now: number
}

/** The totals in their order. What a public wall does not show is left out. */
export function Totals({ picture, now }: TotalsProps) {
  const { totals } = picture.board
  const { people, floors, plans, unanswered, unanswered_at, own_word, calls = 0 } = totals
  const slow = slowSince(picture)
  const say = sayOfAll(picture)
  const asOf = slow === null ? undefined : `as of ${formatClock(slow)}`
  return (
    <section aria-label="Totals" className="bd-totals" data-public={plans === undefined || undefined}>
      <Total
        title={say('In danger')}
        sign="alert"
        count={people.danger}
        tone={people.danger > 0 ? 'bd-is-danger' : ''}
        below={
          calls > 0
            ? `+ ${counted(calls, 'call for help', 'calls for help')}`
            : `on ${counted(totals.danger_floors, 'floor')}`
        }
        isLoud={calls > 0}
      />
      <Unknown totals={totals} asOf={asOf} say={say} />
      <Total
        title={say('Safe')}
        sign="ok"
        count={people.safe}
        tone="bd-is-safe"
        below={`${percent(people.safe, people.total)}${own_word === undefined ? '' : `, ${own_word} self-reported`}`}
      />
      <Total title={say('Floors cleared')} count={floors.cleared} of={floors.total}>
        <Meter floors={floors} say={say} />
      </Total>
      {plans !== undefined && <Total title={say('PEEPs inside')} count={plans} below={asOf ?? say('not yet safe')} />}
      <Total
        title="No warden"
        count={totals.no_warden}
        below={`of ${formatCount(floors.total)} ${floors.total === 1 ? 'floor' : 'floors'}`}
      />
      {unanswered !== undefined && (
        <Total
          title="Unanswered"
          count={unanswered}
          below={asOf ?? (unanswered_at === undefined ? '' : `oldest ${age(now - unanswered_at)}`)}
        />
      )}
      <Total title={say('Refused')} count={totals.refused} below={`on ${counted(totals.refused_floors, 'floor')}`} />
    </section>
  )
}

interface TotalProps {
  title: string
  count: number
  of?: number
  sign?: SignName
  tone?: string
  below?: string
  /** What stands below needs someone. */
  isLoud?: boolean
  children?: ReactNode
}

/** Characters beyond which a title is drawn smaller. */
const longTitle = 15

function Total({ title, count, of, sign, tone = '', below, isLoud, children }: TotalProps) {
  return (
    <div className={`bd-total ${tone}`}>
      <h2 data-long={title.length > longTitle || undefined}>
        {sign && <Sign name={sign} />}
        {title}
      </h2>
      <p className="bd-count" data-length={lengthOf(of ?? count)}>
        <span>{formatCount(count)}</span>
        {of !== undefined && <small>{` of ${formatCount(of)}`}</small>}
      </p>
      {children ?? (
        <p className="bd-below" data-loud={isLoud || undefined} title={isLoud ? below : undefined}>
          {below}
        </p>
      )}
    </div>
  )
}

/** Long numbers are drawn smaller. */
const lengthOf = (count: number) => (count > 9999 ? 5 : count > 999 ? 4 : undefined)

interface UnknownProps {
  totals: ShownBoard['totals']
  asOf: string | undefined
  say: Say
}

/** Each split adds up to the number beside it. */
function Unknown({ totals, asOf, say }: UnknownProps) {
  const { people, unknown_by_place: place, unknown_by_cause: causes } = totals
  return (
    <div className="bd-total bd-is-unknown">
      <h2>
        <Sign name="ask" />
        Unknown
      </h2>
      <p className="bd-count" data-length={lengthOf(people.unknown)}>
        {formatCount(people.unknown)}
      </p>
      <p className="bd-below">{`${percent(people.unknown, people.total)} of ${formatCount(people.total)}`}</p>
      <ul aria-label="Unknown by place" className="bd-split bd-by-place">
        <Share count={place.not_cleared} words={say('floor not cleared')} />
        <Share count={place.cleared} words={say('floor cleared')} />
      </ul>
      {causes && (
        <ul aria-label="Unknown by cause" className="bd-split bd-by-cause" title={asOf}>
          {causesInOrder.map((cause) => (
            <Share key={cause} count={causes[cause]} words={causeWords[cause]} />
          ))}
          {asOf && <li className="bd-as-of">{asOf}</li>}
        </ul>
      )}
    </div>
  )
}

const Share = ({ count, words }: { count: number; words: string }) => (
  <li>
    <b>{formatCount(count)}</b> <span>{words}</span>
  </li>
)

/** The shares of floors: cleared, under way, help, not begun. */
function Meter({ floors, say }: { floors: BoardTotals['floors']; say: Say }) {
  const shares = [
    ['bd-green', floors.cleared],
    ['bd-yellow', floors.under_way],
    ['bd-red', floors.help],
    ['bd-grey', floors.not_begun],
  ] as const
  const words = `${say(`${floors.cleared} cleared`)}, ${floors.under_way} under way, ${floors.help} need help, ${floors.not_begun} not begun`
  return (
    <div className="bd-meter" data-bar role="img" aria-label={words} title={words}>
      {shares.map(([tone, count]) => count > 0 && <i key={tone} className={tone} style={{ flexGrow: count }} />)}
    </div>
  )
}
