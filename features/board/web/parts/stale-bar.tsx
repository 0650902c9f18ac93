import { TriangleAlert } from 'lucide-react'
import { formatMoment } from '#web/lib/time/server-clock.ts'
import type { Picture } from '../reading/board-snapshot.ts'
import type { Freshness } from '../reading/freshness.ts'

/** The figures stay, and no one takes them for fresh ones. */
export function StaleBar({ picture, freshness }: { picture: Picture; freshness: Freshness }) {
  return (
    <div role="status" className="bd-stale-place">
      {freshness !== 'fresh' && (
        <p className="bd-stale" data-freshness={freshness}>
          <TriangleAlert aria-hidden size={20} />
          <span>Not up to date, as of {formatMoment(Date.parse(picture.board.at))}.</span>
        </p>
      )}
    </div>
  )
}
