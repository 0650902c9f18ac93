import { setTimeout as delay } from 'node:timers/promises'
import { Gauge } from 'prom-client'
import type { Metrics } from './metrics.ts'

/** Much shorter than a collector's timeout: a collector takes a slow process for a dead one. */
const patienceMs = 2_000

interface Sample {
  labels?: Record<string, string>
  value: number
}

/**
 * Makes gauges that are read from the rows at each collection, so every process shows the same. Without a value while the
 * database is silent.
 */
export function rowGauges({ registry }: Pick<Metrics, 'registry'>, isDatabaseAway: () => boolean) {
  return (name: string, help: string, labelNames: string[], read: () => Promise<Sample[]>) =>
    new Gauge({
      name,
      help,
      labelNames,
      registers: [registry],
      async collect() {
        const samples = isDatabaseAway() ? [] : await inTime(read())
        this.reset()
        if (labelNames.length === 0) this.remove() // reset alone leaves a 0
        for (const { labels = {}, value } of samples) this.set(labels, value)
      },
    })
}

/** Empty if the database fails or is slow, so that a collector still gets the rest. */
async function inTime(reading: Promise<Sample[]>): Promise<Sample[]> {
  const late = delay(patienceMs, [], { ref: false })
  return Promise.race([reading.catch(() => []), late])
}
