import { meterLogs } from '#features/log/server/log.metrics.ts'
import { meterOperation } from '#features/operation/server/metrics/operation.metrics.ts'
import { meterRecords } from '#features/records/server/metrics/record-metrics.ts'
import { meterTexts } from '#features/texts/server/sms.metrics.ts'
import type { Pools } from './node-database.ts'
import type { Config } from './platform/config/config.ts'
import { meterCertificate } from './platform/observability/certificate.ts'
import type { Metrics } from './platform/observability/metrics.ts'
import { meterFeed } from './realtime/feed/feed.metrics.ts'

interface Metered {
  config: Pick<Config, 'appUrl' | 'dataDir' | 'smsBudgets'>
  pools: Pick<Pools, 'owner' | 'system' | 'hot' | 'tenant'>
  isDatabaseAway: () => boolean
}

/** What /metrics shows of rows, pools and the certificate. Returns what counts the texts of this process. */
export function meterNode(metrics: Metrics, { config, pools, isDatabaseAway }: Metered) {
  const { appUrl, dataDir, smsBudgets } = config
  const [system, owner] = [pools.system.db, pools.owner.db]
  meterRecords(metrics, system, isDatabaseAway)
  meterLogs(metrics, system, isDatabaseAway)
  meterFeed(metrics, owner, isDatabaseAway)
  meterOperation(metrics, { system, owner, dataDir, isDatabaseAway })
  meterCertificate(metrics, appUrl)
  metrics.watchPools(pools)
  return meterTexts(metrics, system, smsBudgets, isDatabaseAway)
}
