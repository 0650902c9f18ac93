import type { Db } from '../../platform/db/db.ts'
import type { Metrics } from '../../platform/observability/metrics.ts'
import { rowGauges } from '../../platform/observability/row-gauges.ts'
import { findPosition } from './centrifugo.queries.ts'

/** Whether a process publishes to Centrifugo. Without one phones poll. */
export function meterPosition(metrics: Metrics, system: Db, isDatabaseAway: () => boolean): void {
  rowGauges(metrics, isDatabaseAway)(
    'evac_position_seconds',
    'Seconds since a process has published everything to Centrifugo; without CENTRIFUGO_URL there is none',
    [],
    async () => {
      const position = await findPosition(system)
      return position ? [{ value: position.secondsAgo }] : []
    },
  )
}
