import type { Db } from '#server/platform/db/db.ts'
import type { Metrics } from '#server/platform/observability/metrics.ts'
import { rowGauges } from '#server/platform/observability/row-gauges.ts'
import { countFailed } from '../record-work.queries.ts'

/** What /metrics shows of records. EvacRecordFails rings by it. */
export function meterRecords(metrics: Metrics, system: Db, isDatabaseAway: () => boolean): void {
  rowGauges(metrics, isDatabaseAway)(
    'evac_records_failed',
    'Records that could not be written five times and are tried each minute; the same from every process',
    [],
    async () => [{ value: await countFailed(system) }],
  )
}
