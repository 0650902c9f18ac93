import { readFileSync } from 'node:fs'
import { Counter } from 'prom-client'
import { expect } from 'vitest'
import { meterTexts } from '#features/texts/server/sms.metrics.ts'
import { meterNode } from '../../node-metrics.ts'
import { meterPosition } from '../../realtime/centrifugo/position.metrics.ts'
import { meterFeed } from '../../realtime/feed/feed.metrics.ts'
import { openTransaction } from '../../testing/open-transaction.ts'
import { test } from '../../testing/server-test.ts'
import { startTestServer, type TestServer, testConfig } from '../../testing/test-server.ts'

const read = (name: string) => readFileSync(new URL(`../../../docs/operations/${name}`, import.meta.url), 'utf8')
const namesIn = (text: string) => new Set(text.match(/\b(evac|nodejs|process)_[a-z0-9_]+/g))

/** All that a node shows, with the own hub and with Centrifugo. */
function meterAll({ app: { metrics }, config, database, db }: TestServer) {
  const { owner, system, hot, tenant } = database
  const isDatabaseAway = () => false
  meterNode(metrics, { config, pools: { owner, system, hot, tenant }, isDatabaseAway })
  meterPosition(metrics, db, isDatabaseAway)
  metrics.watchSockets(() => 0)
  metrics.watchDatabase(isDatabaseAway)
  metrics.watchWrites(() => true)
  return metrics
}

test('the dashboard and the alerts use existing metrics only, and the dashboard shows every one', async ({
  server,
}) => {
  const metrics = meterAll(server)
  const shown = metrics.registry.getMetricsAsArray().map(({ name }) => name)
  const asked = (file: string) => [...namesIn(read(file))].map((name) => name.replace(/_(bucket|count|sum)$/, ''))

  // naming rules of `promtool check metrics`
  const counters = metrics.registry.getMetricsAsArray().filter((metric) => metric instanceof Counter)
  expect(counters.every(({ name }) => name.endsWith('_total'))).toBe(true)
  expect(shown.filter((name) => name.endsWith('_total'))).toEqual(counters.map(({ name }) => name))
  expect(shown).toEqual(expect.arrayContaining(asked('grafana-dashboard.json')))
  expect(shown).toEqual(expect.arrayContaining(asked('prometheus-alerts.yml')))
  expect(asked('grafana-dashboard.json')).toEqual(
    expect.arrayContaining(shown.filter((name) => name.startsWith('evac_'))),
  )
})

test('OPS-08 docs/scaling.md names existing metrics and alerts, and is read in one go', async () => {
  await using server = await startTestServer()
  const text = readFileSync(new URL('../../../docs/scaling.md', import.meta.url), 'utf8')
  const shown = meterAll(server)
    .registry.getMetricsAsArray()
    .map(({ name }) => name)
  const alerts = text.match(/\bEvac[A-Z]\w+/g) ?? []

  expect([...namesIn(text)].filter((name) => !shown.includes(name))).toEqual([])
  expect(alerts.filter((name) => !read('prometheus-alerts.yml').includes(`alert: ${name}\n`))).toEqual([])
  expect(text.split('\n').length - 1).toBeLessThanOrEqual(130)
})

test('FEED-04 the metrics say for how long live updates wait, and for which transaction', async () => {
  await using server = await startTestServer()
  const { connection, owner } = server.database
  meterFeed(server.app.metrics, owner.db, () => false)
  const shown = async () => (await server.app.inject('/metrics')).body
  const org = await server.given.organisation()
  await expect.poll(shown).toMatch(/^evac_feed_held_back_seconds 0$/m)
  expect(await shown()).not.toMatch(/^evac_feed_holder_seconds\{/m)
  await using _ = await openTransaction()

  await using open = await openTransaction(connection.database)
  const entry = { clientUid: org.clientUid, action: 'x', subjectType: 'floor', subjectUid: org.floorUid }
  await server.db.insertInto('journal').values(entry).execute()

  const holder = `evac_feed_holder_seconds{database="${connection.database}",pid="${open.pid}"} `
  await expect.poll(shown).toMatch(/^evac_feed_held_back_seconds 0\.\d/m)
  expect(await shown()).toMatch(new RegExp(`^${holder.replace(/[{}]/g, '\\$&')}\\d`, 'm'))
})

test('T34 in production only the token opens /metrics, because a local proxy forwards requests of strangers', async () => {
  const asked = async (over: Partial<typeof testConfig>, headers: Record<string, string> = {}) => {
    await using server = await startTestServer({ config: { ...testConfig, ...over } })
    return (await server.app.inject({ url: '/metrics', headers })).statusCode
  }
  const metricsToken = 'collector'

  expect(await asked({ production: true })).toBe(404)
  expect(await asked({ production: true, metricsToken })).toBe(404)
  expect(await asked({ production: true, metricsToken }, { authorization: 'Bearer collector' })).toBe(200)
  expect(await asked({})).toBe(200)
  expect(await asked({}, { 'x-real-ip': '198.51.100.7' })).toBe(404)
})

test('F6 /metrics answers in time and leaves out values that could not be read, whatever state the database is in', async () => {
  await using server = await startTestServer()
  const { pg } = server.database.owner
  let isAway = false
  meterTexts(server.app.metrics, server.db, server.config.smsBudgets, () => isAway)
  const shown = async () => (await server.app.inject('/metrics')).body
  const oldest = /^evac_texts_oldest_seconds \d/m
  expect(await shown()).toMatch(oldest)

  const holder = await pg.connect()
  await holder.query('begin; lock table sms')
  const start = performance.now()
  expect(await shown()).not.toMatch(oldest)
  expect(performance.now() - start).toBeLessThan(8_000) // a collector waits 10 s
  await holder.query('commit')
  expect(await shown()).toMatch(oldest)

  await holder.query('alter table sms rename to gone')
  expect(await shown()).toMatch(/^process_cpu_seconds_total/m)
  await holder.query('alter table gone rename to sms')
  holder.release()
  isAway = true
  expect(await shown()).not.toMatch(oldest)
})
