import { formatClock } from '../../../lib/time/clock.ts'
import { formatDuration } from '../../../lib/time/dates.ts'
import type { Freshness } from '../reading/freshness.ts'
import { eventSeconds, type Picture } from '../reading/picture.ts'
import { useNow } from '../reading/use-now.ts'

/** Type, site and how long it has been going on. */
export function EventChip({ picture }: { picture: Picture }) {
  const now = useNow(1000)
  const { type, site, kind, began_at } = picture.board.event
  return (
    <p className="bd-event" data-kind={kind}>
      {kind === 'drill' && 'DRILL · '}
      {type} · {site.name} ·{' '}
      <time dateTime={began_at} className="bd-clock">
        {formatDuration(eventSeconds(picture, now))}
      </time>
    </p>
  )
}

/** The moment of the figures, by the database's clock. */
export function Live({ picture, freshness }: { picture: Picture; freshness: Freshness }) {
  const at = Date.parse(picture.board.at)
  return (
    <p className="bd-live" data-freshness={freshness}>
      <i aria-hidden />
      {freshness === 'fresh' ? 'Live' : 'As of'}{' '}
      <time dateTime={picture.board.at} className="bd-clock">
        {formatClock(at)}
      </time>
    </p>
  )
}
