import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import pg from 'pg'
import { embeddedDatabase, makeTemporaryFolder, type ProductNode, testSettings } from '../../rig/product.ts'
import { findFreePorts } from '../../scripts/lib/free-ports.ts'
import { seedWorld } from '../seed/seed.ts'
import { type Cluster, findMissing, startCluster } from './cluster.ts'
import { makeNewerVersion } from './newer-version.ts'
import { Phone } from './phones.ts'
import { findFaults, listDelays, listEntries, type Phase } from './verdict.ts'
import { actAsWarden, emptyLedger } from './wardens.ts'

/**
 * `npm run test:cluster`: two nodes behind haproxy under load, while nodes and Redis are killed, restarted and
 * upgraded.
 */
const wardens = 8
const followers = 40
const quietMs = 5000

const withRedis = !process.argv.includes('--no-redis')
const missing = findMissing({ withRedis })
if (missing) {
  console.error(missing)
  process.exit(1)
}
const folder = makeTemporaryFolder('evac-cluster-run-')
const dataDir = join(folder, 'data')
const settings = { ...testSettings, DATA_DIR: dataDir }
const cluster = await startCluster({ port: await findFreePorts(4), folder, withRedis, env: settings })
const pool = new pg.Pool({ ...embeddedDatabase(dataDir), max: 2 })
pool.on('error', () => undefined)
const newerVersion = makeNewerVersion(folder)
const phases: Phase[] = []
const ledger = emptyLedger()
const world = await seedWorld(pool, { evacuees: 1000, wardens: followers })
const phones = world.tokens.map((token) => new Phone(cluster.url, token, world.eventUid))
try {
  await Promise.all(phones.map((phone) => phone.ready()))
  await underLoad(() => injectFaults(cluster))
  await settle()
  const faults = await findFaults(pool, world, ledger, phones)
  await report(faults)
  process.exitCode = faults.length > 0 ? 1 : 0
} finally {
  for (const phone of phones) phone.close()
  await pool.end()
  await cluster.stop()
  if (process.exitCode === 0) rmSync(folder, { recursive: true, force: true })
  else console.log(`Logs: ${folder}`)
}

async function underLoad(work: () => Promise<void>) {
  let isOver = false
  const acting = Array.from({ length: wardens }, (_, nth) => actAsWarden(cluster.url, world, nth, ledger, () => isOver))
  await work()
  isOver = true
  await Promise.all(acting)
}

async function injectFaults({ nodes, redis }: Cluster) {
  await phase('all well', async () => {})
  for (const [at, node] of nodes.entries()) {
    await phase(`node ${at + 1} killed`, node.kill)
    await phase(`node ${at + 1} back`, () => node.start())
  }
  if (redis) {
    await phase('Redis killed', redis.kill)
    await phase('Redis back', () => redis.start())
  }
  for (const round of ['first', 'second'])
    await phase(`${round} rolling restart`, async () => {
      for (const node of nodes) {
        await node.stop()
        await node.start()
      }
    })
  const [first, second] = nodes
  await phase('a newer version on node 1 migrates', () => renew(first))
  await phase('node 2 killed, back in its older version', async () => {
    await second.kill()
    await second.start()
  })
  await phase('the newer version on node 2', () => renew(second))
}

async function renew(node: ProductNode) {
  await node.stop()
  node.args = [newerVersion]
  await node.start()
}

async function phase(name: string, work: () => Promise<unknown>) {
  console.log(`${name} …`)
  phases.push({ name, from: performance.now() })
  await work()
  await delay(quietMs)
}

/** Waits until every phone has heard the last record, for at most half a minute. */
async function settle() {
  const last = (await listEntries(pool, world)).at(-1)?.xid
  for (let tries = 0; tries < 300 && phones.some(({ heard }) => heard.at(-1)?.offset !== last); tries++)
    await delay(100)
}

async function report(faults: readonly string[]) {
  console.table(listDelays(phases, await listEntries(pool, world), ledger, phones))
  const publications = phones.reduce((sum, { heard }) => sum + heard.length, 0)
  const reconnects = phones.reduce((sum, phone) => sum + phone.reconnects, 0)
  console.log(
    `${ledger.acknowledged.size} records acknowledged, ${ledger.reads} lists read, ${ledger.retried} tries repeated by the phones`,
  )
  console.log(`${publications} publications to ${followers} phones, which came back ${reconnects} times`)
  for (const fault of faults.slice(0, 20)) console.log(`FAULT ${fault}`)
  console.log(faults.length > 0 ? `${faults.length} faults` : 'Nothing lost, nothing twice, nothing out of order.')
}
