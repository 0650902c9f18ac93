import { Counter, Gauge, Histogram, type Registry } from 'prom-client'
import type { Db } from '#server/platform/db/db.ts'
import type { Metrics } from '#server/platform/observability/metrics.ts'
import { rowGauges } from '#server/platform/observability/row-gauges.ts'
import { type BudgetKind, countSpend } from './budget.queries.ts'
import type { Budgets } from './budget.service.ts'
import { countTexts, countUnseen, findOldestSeconds } from './sms.queries.ts'
import type { TryOutcome } from './sms-gateway.ts'

/** What /metrics shows of texts: gauges of the rows, and counters of this process, which the returned functions feed. */
export function meterTexts(metrics: Metrics, system: Db, budgets: Budgets, isDatabaseAway: () => boolean) {
  gaugeRows(metrics, system, budgets, isDatabaseAway)
  return countOwnWork(metrics.registry)
}
export type TextMetrics = ReturnType<typeof meterTexts>

function gaugeRows(metrics: Metrics, system: Db, budgets: Budgets, isDatabaseAway: () => boolean) {
  const gauge = rowGauges(metrics, isDatabaseAway)
  gauge(
    'evac_texts',
    'Texts written in the last 24 hours, by state; the same from every process',
    ['state'],
    async () => (await countTexts(system)).map(({ status, count }) => ({ labels: { state: status }, value: count })),
  )
  gauge(
    'evac_texts_oldest_seconds',
    'Age of the oldest text that waits to be handed over; the same from every process',
    [],
    async () => [{ value: await findOldestSeconds(system) }],
  )
  gauge(
    'evac_texts_unseen',
    'Texts from phones of running events that no warden has opened or handled for five minutes; the same from every process',
    [],
    async () => [{ value: await countUnseen(system) }],
  )
  gauge(
    'evac_text_budgets_empty',
    'Clients whose budget of the day is used up, by pot; the same from every process',
    ['pot'],
    async () => (await countSpend(system, budgets)).map(({ pot, empty }) => ({ labels: { pot }, value: empty })),
  )
  gauge(
    'evac_text_segments_today',
    'Segments paid for today (UTC), by pot; the same from every process',
    ['pot'],
    async () => (await countSpend(system, budgets)).map(({ pot, segments }) => ({ labels: { pot }, value: segments })),
  )
}

/** Metrics of the texts that this process sends. */
function countOwnWork(registry: Registry) {
  const registers = [registry]
  const overBudget = new Counter({
    name: 'evac_texts_over_budget_total',
    help: 'Texts and calls skipped because a budget was used up, by pot',
    labelNames: ['pot'],
    registers,
  })
  const tries = new Histogram({
    name: 'evac_text_try_seconds',
    help: 'Time until a gateway answered for a text, by gateway and outcome (taken, refused, failed, silent)',
    labelNames: ['gateway', 'outcome'],
    buckets: [0.01, 0.05, 0.1, 0.25, 0.5, 1, 2, 4, 8],
    registers,
  })
  const wait = new Histogram({
    name: 'evac_text_wait_seconds',
    help: 'From the change that wrote a text until a provider had it, by pot',
    labelNames: ['pot'],
    buckets: [0.05, 0.1, 0.25, 0.5, 1, 2, 5, 10, 30, 60, 180, 900],
    registers,
  })
  const unmatched = new Counter({
    name: 'evac_receipts_unmatched_total',
    help: 'Receipts for which no text was found in a minute, in no spelling of their id',
    registers,
  })
  const calls = new Counter({
    name: 'evac_calls_total',
    help: 'Calls by what became of them at once: handed_over, failed, expired, skipped, or retried',
    labelNames: ['outcome'],
    registers,
  })
  const lastTaken = new Gauge({
    name: 'evac_text_last_taken_timestamp_seconds',
    help: 'When a gateway last took a text from this process, by gateway',
    labelNames: ['gateway'],
    registers,
  })
  return {
    noteTry(gateway: string, outcome: TryOutcome, seconds: number) {
      tries.observe({ gateway, outcome }, seconds)
      if (outcome === 'taken') lastTaken.setToCurrentTime({ gateway })
    },
    noteHandedOver: (pot: BudgetKind, createdAt: Date) =>
      wait.observe({ pot }, Math.max(0, Date.now() - createdAt.getTime()) / 1000),
    noteCall: (outcome: 'handed_over' | 'failed' | 'expired' | 'skipped' | 'retried') => calls.inc({ outcome }),
    noteUnmatched: (count: number) => unmatched.inc(count),
    noteOverBudget: (pot: BudgetKind, count: number) => overBudget.inc({ pot }, count),
  }
}
