import { type ChildProcess, fork } from 'node:child_process'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import pg from 'pg'
import { killPostgres } from '../../rig/kill-postgres.ts'
import { Product } from '../../rig/product.ts'
import type { Program } from '../../rig/program.ts'
import { listEntries, recordFaults } from '../cluster/verdict.ts'
import { actAsWarden, emptyLedger } from '../cluster/wardens.ts'
import { heard, memoryOf, requireFiles } from '../crowd/crowd.ts'
import type { Returned } from '../crowd/returning-phones.ts'
import { sharedNow } from '../crowd/shared-clock.ts'
import { percentile, type Row, withBaseline } from '../report/report.ts'
import { seedWorld } from '../seed/seed.ts'

const size = Number(process.env.BENCH_RETURNING ?? 10_000)
const awayMs = Number(process.env.BENCH_AWAY ?? 30) * 1000
/** HUB-28: the product closes the sockets after this time without database. */
const blindMs = 10_000
const perProcess = 2500
const wardens = 5
/** Milliseconds between the records of one warden: each goes to all phones. */
const pauseMs = 1000

/**
 * The database is away for 30 s, and all phones come back after it while wardens record. The baseline of their return is
 * a bare server that is away for as long as the product refuses its sockets. The baseline of the records is the same
 * wardens before the outage.
 */
export async function benchReconnect(bare: Program, bareUrl: string): Promise<Row[]> {
  requireFiles(2 * size) // of the server: a socket and a request per phone
  const ours = await ofProduct()
  const theirs = await ofBare(bare, bareUrl)
  const phones = `${size.toLocaleString('en')} phones after ${awayMs / 1000} s without database`
  return [
    withBaseline(`${phones}, s until each has a publication`, percentile(ours.seconds, 100), percentile(theirs, 100)),
    withBaseline(`${phones}, s until half of them have`, percentile(ours.seconds, 50), percentile(theirs, 50)),
    { name: `${phones}, failed for good`, value: ours.failed, target: '= 0' },
    { name: `${phones}, records not journaled as acknowledged`, value: ours.faults, target: '= 0' },
    withBaseline(
      `${phones}, p99 of a record meanwhile, ms`,
      percentile(ours.during, 99),
      percentile(ours.before, 99),
      '<= 1000 ms',
    ),
  ]
}

async function ofProduct() {
  const product = await Product.start()
  product.pool.on('error', () => undefined) // its idle connections end with the database
  try {
    const world = await seedWorld(product.pool, { evacuees: 1000, wardens: size })
    const crowd = await gather(product.url, world.tokens)
    const ledger = emptyLedger()
    const recordUntil = async (end: Promise<unknown>) => {
      let isOver = false
      const from = ledger.times.length
      const acting = Array.from({ length: wardens }, (_, nth) =>
        actAsWarden(product.url, world, nth, ledger, () => isOver, pauseMs),
      )
      const result = await end
      isOver = true
      await Promise.all(acting)
      return { result, times: ledger.times.slice(from) }
    }
    const before = await recordUntil(delay(15_000))
    const memory = memoryOf(product.node)
    await withoutDatabase(product)
    const back = sharedNow()
    const during = await recordUntil(crowd.back())
    const { heardAt, counts } = during.result as Returned
    const faults = recordFaults(await listEntries(product.pool, world), ledger)
    const grown = Math.round(memoryOf(product.node) - memory)
    console.log({ ...counts, records: during.times.length, retried: ledger.retried, grownMB: grown, faults })
    await crowd.leave()
    return {
      seconds: heardAt.map((at) => (at - back) / 1000),
      failed: counts.refused + (size - heardAt.length) + ledger.failed.length,
      faults: faults.length,
      before: before.times,
      during: during.times,
    }
  } finally {
    await product.stop()
  }
}

/** Kills the database as often as the product starts it, for `awayMs`. Resolves when it answers again. */
async function withoutDatabase({ settings, database }: Product): Promise<void> {
  for (const end = Date.now() + awayMs; Date.now() < end; await delay(100))
    killPostgres(join(settings.DATA_DIR as string, 'postgres'))
  while (!(await answers(database))) await delay(20)
}

async function answers(database: pg.PoolConfig): Promise<boolean> {
  const client = new pg.Client({ ...database, connectionTimeoutMillis: 2000 })
  client.on('error', () => undefined)
  try {
    await client.connect()
    await client.query('select 1')
    return true
  } catch {
    return false
  } finally {
    await client.end().catch(() => undefined)
  }
}

/** Seconds until each phone has a message after the bare server has come back. */
async function ofBare(bare: Program, bareUrl: string): Promise<number[]> {
  const crowd = await gather(
    bareUrl,
    Array.from({ length: size }, () => 'bare'),
  )
  await bare.kill()
  await delay(awayMs - blindMs)
  await bare.start()
  const back = sharedNow()
  const publishing = setInterval(() => void publish(bareUrl), pauseMs / wardens)
  const { heardAt } = await crowd.back()
  clearInterval(publishing)
  await crowd.leave()
  return heardAt.map((at) => (at - back) / 1000)
}

const message = { push: { channel: 'event:bare', pub: { data: { status: 'success', message: 'x'.repeat(170) } } } }

async function publish(url: string): Promise<void> {
  const headers = { 'content-type': 'application/json' }
  await fetch(`${url}/publish`, { method: 'POST', headers, body: JSON.stringify(message) }).catch(() => undefined)
}

/** Opens a phone for each token, in separate processes. */
async function gather(url: string, tokens: readonly string[]) {
  const program = join(import.meta.dirname, '../crowd/returning-phones.ts')
  const processes: ChildProcess[] = []
  for (let from = 0; from < tokens.length; from += perProcess) {
    const child = fork(program, { serialization: 'advanced', stdio: 'inherit' })
    processes.push(child)
    child.send({ url, tokens: tokens.slice(from, from + perProcess) })
    await heard<'open'>(child)
  }
  return {
    async back(): Promise<Returned> {
      const all = await Promise.all(
        processes.map((child) => {
          child.send('back')
          return heard<Returned>(child)
        }),
      )
      const sum = (what: keyof Returned['counts']) => all.reduce((total, { counts }) => total + counts[what], 0)
      const counts = { cut: sum('cut'), refused: sum('refused'), reads: sum('reads'), requests: sum('requests') }
      return { heardAt: all.flatMap(({ heardAt }) => heardAt), counts }
    },
    async leave() {
      for (const child of processes) child.disconnect()
    },
  }
}
