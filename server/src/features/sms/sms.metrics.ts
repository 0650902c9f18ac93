import { Counter, Gauge, Histogram } from 'prom-client'
import type { Db } from '../../platform/db.ts'
import type { Metrics } from '../../platform/metrics.ts'
import { countSpend, type Pot } from './budget/budget.queries.ts'
import type { Budgets } from './budget/budget.service.ts'
import type { TryOutcome } from './gateways/in-order.ts'
import { countTexts, findOldestSeconds } from './sms.queries.ts'

const buckets = [0.05, 0.1, 0.25, 0.5, 1, 2, 5, 10, 30, 60, 180, 900]

/** What /metrics tells of texts. Gauges are read from the rows, so every process shows the same, or nothing while the database is away; the rest is its own. */
export function meterTexts({ registry }: Metrics, system: Db, budgets: Budgets, isDatabaseAway: () => boolean) {
  const registers = [registry]
  new Gauge({
    name: 'evac_texts',
    help: 'Texts written in the last 24 hours, by state; the same from every process',
    labelNames: ['state'],
    registers,
    async collect() {
      this.reset()
      if (isDatabaseAway()) return
      for (const { status, count } of await countTexts(system)) this.set({ state: status }, count)
    },
  })
  new Gauge({
    name: 'evac_texts_oldest_seconds',
    help: 'Age of the oldest text that waits to be handed over; the same from every process',
    registers,
    async collect() {
      this.reset()
      if (!isDatabaseAway()) this.set(await findOldestSeconds(system))
    },
  })
  new Gauge({
    name: 'evac_text_budgets_empty',
    help: 'Clients whose budget of the day is used up, by pot; the same from every process',
    labelNames: ['pot'],
    registers,
    async collect() {
      this.reset()
      if (isDatabaseAway()) return
      for (const { pot, empty } of await countSpend(system, budgets)) this.set({ pot }, empty)
    },
  })
  new Gauge({
    name: 'evac_text_segments_today',
    help: 'Segments paid for today (UTC), by pot; the same from every process',
    labelNames: ['pot'],
    registers,
    async collect() {
      this.reset()
      if (isDatabaseAway()) return
      for (const { pot, segments } of await countSpend(system, budgets)) this.set({ pot }, segments)
    },
  })
  const overBudget = new Counter({
    name: 'evac_texts_over_budget_total',
    help: 'Texts skipped because a budget was used up, by pot',
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
    buckets,
    registers,
  })
  return {
    noteTry: (gateway: string, outcome: TryOutcome, seconds: number) => tries.observe({ gateway, outcome }, seconds),
    noteTaken: (pot: Pot, createdAt: Date) =>
      wait.observe({ pot }, Math.max(0, Date.now() - createdAt.getTime()) / 1000),
    noteOverBudget: (pot: Pot, count: number) => overBudget.inc({ pot }, count),
  }
}
export type TextMetrics = ReturnType<typeof meterTexts>
