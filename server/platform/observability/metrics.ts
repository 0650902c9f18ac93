import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client'

/** The content of `/metrics`. Labels never contain a person, a client or an address. */
export function createMetrics() {
  const registry = new Registry()
  collectDefaultMetrics({ register: registry })
  // `promtool check metrics` rejects gauges named like counters; the same values by kind remain
  for (const kind of ['handles', 'requests', 'resources']) registry.removeSingleMetric(`nodejs_active_${kind}_total`)
  return {
    registry,
    requests: new Histogram({
      name: 'evac_http_request_seconds',
      help: 'Duration of a request, by call and status',
      labelNames: ['method', 'path', 'status'],
      buckets: [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5],
      registers: [registry],
    }),
    signIns: new Counter({
      name: 'evac_sign_ins_total',
      help: 'Sign-in attempts, by outcome',
      labelNames: ['outcome'],
      registers: [registry],
    }),
    inboundTexts: new Counter({
      name: 'evac_inbound_texts_total',
      help: 'Texts from phones that were accepted, by what became of them',
      labelNames: ['outcome'],
      registers: [registry],
    }),
    realtime: new Counter({
      name: 'evac_realtime_total',
      help: 'Events on the sockets: connected, refused before that, recovered, published, delivered, closed by code',
      labelNames: ['what'],
      registers: [registry],
    }),
    serviceUp: new Gauge({
      name: 'evac_service_up',
      help: '1 while a service that Evac depends on answers this process, by service: smpp, twilio, mail, centrifugo',
      labelNames: ['service'],
      registers: [registry],
    }),
    workFailures: new Counter({
      name: 'evac_work_failures_total',
      help: "Failures of background work of this process: each is a line 'Background work failed' of the log",
      registers: [registry],
    }),
    batchRecords: new Histogram({
      name: 'evac_batch_records',
      help: 'Records that shared one statement, by kind',
      labelNames: ['kind'],
      buckets: [1, 2, 4, 8, 16, 32],
      registers: [registry],
    }),
    batchWait: new Histogram({
      name: 'evac_batch_wait_seconds',
      help: 'Time that a record waited for the statement it shared, by kind',
      labelNames: ['kind'],
      buckets: [0.001, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5],
      registers: [registry],
    }),
    watchDatabase: (isAway: () => boolean) =>
      watch(registry, 'evac_database_away', '1 while the database is silent and requests are rejected', () =>
        isAway() ? 1 : 0,
      ),
    watchWrites: (takesWrites: () => boolean) =>
      watch(registry, 'evac_database_writes_fail', '1 while the database answers but accepts no writes', () =>
        takesWrites() ? 0 : 1,
      ),
    watchSockets: (count: () => number) => watch(registry, 'evac_sockets', 'Open real-time sockets', count),
    watchPools: (pools: Readonly<Record<string, PoolCounts>>) => watchPools(registry, pools),
  }
}
export type Metrics = ReturnType<typeof createMetrics>

/** What a pool of `pg` counts of its connections, and of those who wait for one. */
interface PoolCounts {
  pg: { totalCount: number; idleCount: number; waitingCount: number }
}

/** By pool. A pool whose connections are all in use lets everything else of it wait. */
function watchPools(registry: Registry, pools: Readonly<Record<string, PoolCounts>>): void {
  const watched = (name: string, help: string, read: (counts: PoolCounts['pg']) => number) => {
    const gauge: Gauge = new Gauge({
      name,
      help,
      labelNames: ['pool'],
      registers: [registry],
      collect() {
        for (const [pool, { pg }] of Object.entries(pools)) gauge.set({ pool }, read(pg))
      },
    })
  }
  watched(
    'evac_pool_in_use',
    'Connections of this process that work, by pool',
    ({ totalCount, idleCount }) => totalCount - idleCount,
  )
  watched('evac_pool_waiting', 'Work of this process that waits for a connection, by pool', (pg) => pg.waitingCount)
}

function watch(registry: Registry, name: string, help: string, read: () => number): void {
  const gauge: Gauge = new Gauge({
    name,
    help,
    registers: [registry],
    collect() {
      gauge.set(read())
    },
  })
}
