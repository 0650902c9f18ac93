import { X509Certificate } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { createServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { beforeEach, expect, onTestFinished, test } from 'vitest'
import { localhost } from '#features/texts/server/gateways/localhost.fixture.ts'
import { meterNode } from '#server/node-metrics.ts'
import { inClients } from '#server/platform/db/db.ts'
import { startTestServer, type TestServer, testConfig } from '#server/testing/test-server.ts'
import { noteBackup } from '../backup/last-backup.ts'

let dataDir: string

beforeEach(() => {
  dataDir = mkdtempSync(join(tmpdir(), 'evac-metrics-'))
  return () => rmSync(dataDir, { recursive: true })
})

/** A server whose /metrics shows what a node's does. */
async function meteredServer(appUrl = testConfig.appUrl): Promise<TestServer> {
  const server = await startTestServer()
  const { owner, system, hot, tenant } = server.database
  meterNode(server.app.metrics, {
    config: { ...testConfig, appUrl, dataDir },
    pools: { owner, system, hot, tenant },
    isDatabaseAway: () => false,
  })
  return server
}

const shownBy = (server: TestServer) => async () => (await server.app.inject('/metrics')).body

test('OPS-01 the metrics say how many events run, and for how long what they wrote is unsealed', async () => {
  await using server = await meteredServer()
  const shown = shownBy(server)
  expect(await shown()).toMatch(/^evac_events_running\{kind="live"\} 0$/m)
  expect(await shown()).toMatch(/^evac_log_lag_seconds 0$/m)

  const [drill, live] = [await server.given.organisation(), await server.given.organisation()]
  await server.runningEvent(drill, { kind: 'drill' })
  await server.runningEvent(live)

  expect(await shown()).toMatch(/^evac_events_running\{kind="drill"\} 1$/m)
  expect(await shown()).toMatch(/^evac_events_running\{kind="live"\} 1$/m)
  // no worker seals them here
  expect(await shown()).toMatch(/^evac_log_lag_seconds (0\.\d|[1-9])/m)
})

test('OPS-01 the metrics say which jobs wait for a worker, for how long, and which failed', async () => {
  await using server = await meteredServer()
  const shown = shownBy(server)
  expect(await shown()).toMatch(/^evac_jobs\{queue="texts",state="waiting"\} 0$/m)
  expect(await shown()).toMatch(/^evac_jobs_oldest_seconds 0$/m)
  expect(await shown()).not.toContain('__pgboss')

  await inClients(server.db, [], (tx) => server.app.jobs.enqueue(tx, 'texts', { event_uid: 'any' }))
  await inClients(server.db, [], (tx) => server.app.jobs.enqueue(tx, 'mails', { mail_uid: 'any' }))
  const { pg } = server.database.owner
  await pg.query(`update pgboss.job set start_after = now() - interval '90 s' where name = 'texts'`)
  await pg.query(`update pgboss.job set state = 'failed', completed_on = now() where name = 'mails'`)

  expect(await shown()).toMatch(/^evac_jobs\{queue="texts",state="waiting"\} 1$/m)
  expect(await shown()).toMatch(/^evac_jobs\{queue="mails",state="waiting"\} 0$/m)
  expect(await shown()).toMatch(/^evac_jobs\{queue="mails",state="failed"\} 1$/m)
  expect(await shown()).toMatch(/^evac_jobs_oldest_seconds (9\d|1\d\d)/m)
  await pg.query(`update pgboss.job set completed_on = now() - interval '25 hours' where name = 'mails'`)
  expect(await shown()).toMatch(/^evac_jobs\{queue="mails",state="failed"\} 0$/m)
})

test('OPS-01 the metrics say when the last backup ended, and nothing where there was none', async () => {
  await using server = await meteredServer()
  const shown = shownBy(server)
  expect(await shown()).not.toMatch(/^evac_last_backup_timestamp_seconds/m)

  noteBackup(dataDir)

  const [, at] = /^evac_last_backup_timestamp_seconds (\d+)/m.exec(await shown()) ?? []
  expect(Math.abs(Number(at) - Date.now() / 1000)).toBeLessThan(60)
})

test('OPS-01 the metrics say how many connections work, and who waits for one', async () => {
  await using server = await meteredServer()
  const shown = shownBy(server)
  const { pg } = server.database.tenant
  const most = pg.options.max ?? 0
  const held = await Promise.all(Array.from({ length: most }, () => pg.connect()))
  const late = pg.connect()

  expect(await shown()).toMatch(new RegExp(`^evac_pool_in_use\\{pool="tenant"\\} ${most}$`, 'm'))
  expect(await shown()).toMatch(/^evac_pool_waiting\{pool="tenant"\} 1$/m)

  for (const client of held) client.release()
  ;(await late).release()
  expect(await shown()).toMatch(/^evac_pool_in_use\{pool="tenant"\} 0$/m)
  expect(await shown()).toMatch(/^evac_pool_waiting\{pool="tenant"\} 0$/m)
})

test('OPS-01 the metrics say when the certificate of APP_URL ends, and nothing where no one answers', async () => {
  const proxy = createServer(localhost, (_, reply) => reply.end())
  await new Promise<void>((done) => proxy.listen(0, '127.0.0.1', done))
  onTestFinished(() => void proxy.close())
  await using server = await meteredServer(`https://localhost:${(proxy.address() as AddressInfo).port}`)
  await using lost = await meteredServer('https://127.0.0.1:1')
  const ends = new Date(new X509Certificate(localhost.cert).validTo).getTime() / 1000

  const [, at] = /^evac_certificate_ends_timestamp_seconds (\S+)/m.exec(await shownBy(server)()) ?? []
  expect(Number(at)).toBe(ends)
  expect(await shownBy(lost)()).not.toMatch(/^evac_certificate_ends_timestamp_seconds/m)
})
