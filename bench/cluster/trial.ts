import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import pg from 'pg'
import { embeddedDatabase, makeTemporaryFolder, type Settings, testSettings } from '../../rig/product.ts'
import { findFreePorts } from '../../scripts/lib/free-ports.ts'
import { seedWorld } from '../seed/seed.ts'
import { type Cluster, findMissing, startCluster } from './cluster.ts'
import { Phone } from './phones.ts'
import { findFaults, listDelays, listEntries, type Phase } from './verdict.ts'
import { actAsWarden, emptyLedger } from './wardens.ts'

const wardens = 8
const followers = 40
const quietMs = 5000

/** What a trial does to the cluster. */
export interface Trial {
  cluster: Cluster
  /** Holds the logs. */
  folder: string
  /** Does something, and waits. */
  phase: (name: string, work: () => Promise<unknown>) => Promise<void>
}

interface TrialOptions {
  /** Further programs, started before the nodes: their settings, where phones connect, and their end. */
  beside?: (
    folder: string,
    settings: Settings,
  ) => Promise<{ settings: Settings; socketUrl: string; stop: () => Promise<void> }>
  injectFaults: (trial: Trial) => Promise<void>
  /** Phones may be told to fetch everything anew. */
  mayMiss?: boolean
}

/** Two nodes behind haproxy under load, while `injectFaults` works. Sets the exit code: nothing may be lost, doubled or out of order. */
export async function runTrial({ beside, injectFaults, mayMiss = false }: TrialOptions) {
  const missing = findMissing()
  if (missing) {
    console.error(missing)
    process.exit(1)
  }
  const folder = makeTemporaryFolder('evac-cluster-run-')
  const dataDir = join(folder, 'data')
  const port = await findFreePorts(3)
  const settings = { ...testSettings, DATA_DIR: dataDir }
  const others = await beside?.(folder, { ...settings, APP_URL: `http://127.0.0.1:${port}` })
  const cluster = await startCluster({ port, folder, env: { ...settings, ...others?.settings } })
  const pool = new pg.Pool({ ...embeddedDatabase(dataDir), max: 2 })
  pool.on('error', () => undefined)
  const phases: Phase[] = []
  const ledger = emptyLedger()
  const world = await seedWorld(pool, { evacuees: 1000, wardens: followers })
  const socket = others ? { socketUrl: others.socketUrl } : {}
  const phones = world.tokens.map((token) => new Phone(cluster.url, token, world.eventUid, socket))

  async function underLoad(work: () => Promise<void>) {
    let isOver = false
    const acting = Array.from({ length: wardens }, (_, nth) =>
      actAsWarden(cluster.url, world, nth, ledger, () => isOver),
    )
    await work()
    isOver = true
    await Promise.all(acting)
  }
  async function phase(name: string, work: () => Promise<unknown>) {
    console.log(`${name} …`)
    phases.push({ name, from: performance.now() })
    await work()
    await delay(quietMs)
  }
  /** Waits until every phone has heard of the last record, for at most half a minute. */
  async function settle() {
    const last = (await listEntries(pool, world)).at(-1)?.xid ?? 0
    const isBehind = (phone: Phone) => phone.place < last
    for (let tries = 0; tries < 300 && phones.some(isBehind); tries++) await delay(100)
  }
  async function report(faults: readonly string[]) {
    console.table(listDelays(phases, await listEntries(pool, world), ledger, phones))
    const sum = (of: (phone: Phone) => number) => phones.reduce((all, phone) => all + of(phone), 0)
    console.log(
      `${ledger.acknowledged.size} records acknowledged, ${ledger.reads} lists read, ${ledger.retried} tries repeated by the phones`,
    )
    console.log(
      `${sum(({ heard }) => heard.length)} publications to ${followers} phones, which came back ${sum(({ reconnects }) => reconnects)} times and read everything anew ${sum(({ gaps }) => gaps.length)} times`,
    )
    for (const fault of faults.slice(0, 20)) console.log(`FAULT ${fault}`)
    console.log(faults.length > 0 ? `${faults.length} faults` : 'Nothing lost, nothing twice, nothing out of order.')
  }

  try {
    await Promise.all(phones.map((phone) => phone.ready()))
    await underLoad(() => injectFaults({ cluster, folder, phase }))
    await settle()
    const faults = await findFaults(pool, world, ledger, phones, { mayMiss })
    await report(faults)
    process.exitCode = faults.length > 0 ? 1 : 0
  } finally {
    for (const phone of phones) phone.close()
    await pool.end()
    await cluster.stop()
    await others?.stop()
    if (process.exitCode === 0) rmSync(folder, { recursive: true, force: true })
    else console.log(`Logs: ${folder}`)
  }
}
