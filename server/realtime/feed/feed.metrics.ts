import type { Db } from '../../platform/db/db.ts'
import type { Metrics } from '../../platform/observability/metrics.ts'
import { rowGauges } from '../../platform/observability/row-gauges.ts'
import { findHolder, findHorizon } from './feed.queries.ts'

/** Seconds that live updates wait, and for what. `owner` sees when its own transactions began. */
export function meterFeed(metrics: Metrics, owner: Db, isDatabaseAway: () => boolean): void {
  const gauge = rowGauges(metrics, isDatabaseAway)
  gauge(
    'evac_feed_held_back_seconds',
    'Age of the oldest change that waits behind an open transaction',
    [],
    async () => {
      const { heldBackSeconds } = await findHorizon(owner)
      return [{ value: heldBackSeconds ?? 0 }]
    },
  )
  gauge(
    'evac_feed_holder_seconds',
    'Age of the oldest open transaction that can hold live updates back, by database and pid; pid 0 was prepared',
    ['database', 'pid'],
    async () => {
      const [holder, { heldBackSeconds }] = await Promise.all([findHolder(owner), findHorizon(owner)])
      if (!holder) return []
      // a stranger's session does not say when its transaction began
      const seconds = Math.max(holder.seconds, heldBackSeconds ?? 0)
      return [{ labels: { database: holder.database, pid: String(holder.pid ?? 0) }, value: seconds }]
    },
  )
}
