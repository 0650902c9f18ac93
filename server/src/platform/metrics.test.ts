import { readFileSync } from 'node:fs'
import { expect } from 'vitest'
import { meterTexts } from '../features/sms/sms.metrics.ts'
import { test } from '../testing/server-test.ts'

const read = (name: string) => readFileSync(new URL(`../../../docs/operations/${name}`, import.meta.url), 'utf8')
const namesIn = (text: string) => new Set(text.match(/\b(evac|nodejs|process)_[a-z0-9_]+/g))

test('the dashboard and the alarms ask for metrics that the product has, and the dashboard for all of its own', async ({
  server,
}) => {
  const { metrics } = server.app
  meterTexts(metrics, server.db, server.config.smsBudgets, server.app.isDatabaseAway)
  metrics.watchSockets(() => 0)
  metrics.watchDatabase(() => false)
  const shown = metrics.registry.getMetricsAsArray().map(({ name }) => name)
  const asked = (file: string) => [...namesIn(read(file))].map((name) => name.replace(/_(bucket|count|sum)$/, ''))

  expect(shown).toEqual(expect.arrayContaining(asked('grafana-dashboard.json')))
  expect(shown).toEqual(expect.arrayContaining(asked('prometheus-alerts.yml')))
  expect(asked('grafana-dashboard.json')).toEqual(
    expect.arrayContaining(shown.filter((name) => name.startsWith('evac_'))),
  )
})
