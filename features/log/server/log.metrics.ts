import type { Db } from '#server/platform/db/db.ts'
import type { Metrics } from '#server/platform/observability/metrics.ts'
import { rowGauges } from '#server/platform/observability/row-gauges.ts'
import { countBroken } from './head-log/head-log.queries.ts'
import { findOverdueSeconds } from './heads.queries.ts'
import { findLagSeconds } from './sealing.queries.ts'

/** What /metrics shows of logs. EvacLogBroken, EvacHeadsNotKept and EvacSealingLate ring by it. */
export function meterLogs(metrics: Metrics, system: Db, isDatabaseAway: () => boolean): void {
  const gauge = rowGauges(metrics, isDatabaseAway)
  gauge(
    'evac_logs_broken',
    'Event logs that are not what was signed, or of which only a head is left; the same from every process',
    [],
    async () => [{ value: await countBroken(system) }],
  )
  gauge(
    'evac_heads_not_kept_seconds',
    'For how long the oldest head that is due has not been kept in the file store; the same from every process',
    [],
    async () => [{ value: await findOverdueSeconds(system) }],
  )
  gauge(
    'evac_log_lag_seconds',
    'Age of the oldest entry that no log has sealed, of events that run or have ended within an hour; the same from every process',
    [],
    async () => [{ value: await findLagSeconds(system) }],
  )
}
