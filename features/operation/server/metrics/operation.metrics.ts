import type { Db } from '#server/platform/db/db.ts'
import type { Metrics } from '#server/platform/observability/metrics.ts'
import { rowGauges } from '#server/platform/observability/row-gauges.ts'
import { lastBackupIn } from '../backup/last-backup.ts'
import { countJobs, countRunning, findOldestJobSeconds } from './operation.queries.ts'

interface Metered {
  system: Db
  /** Reads the queue of jobs. */
  owner: Db
  dataDir: string
  isDatabaseAway: () => boolean
}

/** What an operator asks before an upgrade: do events run, is work left undone, is there a backup. */
export function meterOperation(metrics: Metrics, { system, owner, dataDir, isDatabaseAway }: Metered): void {
  const gauge = rowGauges(metrics, isDatabaseAway)
  gauge('evac_events_running', 'Events that run, by kind; the same from every process', ['kind'], async () =>
    (await countRunning(system)).map(({ kind, count }) => ({ labels: { kind }, value: count })),
  )
  gauge(
    'evac_jobs',
    'Jobs that are due (waiting), and jobs that failed at their last try within a day (failed), by queue; the same from every process',
    ['queue', 'state'],
    async () =>
      (await countJobs(owner)).flatMap(({ queue, waiting, failed }) => [
        { labels: { queue, state: 'waiting' }, value: waiting },
        { labels: { queue, state: 'failed' }, value: failed },
      ]),
  )
  gauge(
    'evac_jobs_oldest_seconds',
    'For how long the oldest job that is due has waited for a worker; the same from every process',
    [],
    async () => [{ value: await findOldestJobSeconds(owner) }],
  )
  rowGauges(metrics, () => false)(
    'evac_last_backup_timestamp_seconds',
    'When the last backup that this DATA_DIR knows of ended; no value without one',
    [],
    async () => {
      const at = lastBackupIn(dataDir)
      return at ? [{ value: at.getTime() / 1000 }] : []
    },
  )
}
