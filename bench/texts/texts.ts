import type pg from 'pg'
import { createEvent, listEventSites } from '#features/events/calls/events.ts'
import { callerOf } from '#kernel/client/fetch-caller.ts'
import { Product, ProductNode } from '../../rig/product.ts'
import { findFreePort } from '../../scripts/lib/free-ports.ts'
import { percentile, type Row } from '../report/report.ts'
import { type Site, seedSite } from '../seed/seed-site.ts'
import { isLost, startSmsc } from './smsc-simulator.ts'

const count = Number(process.env.BENCH_TEXTS ?? 10_000)
const perSecond = 500
const outageSeconds = 3
/** Unanswered texts at a time. Enough for that rate if an answer takes 50 ms. */
const window = 25
/**
 * Texts in flight when the worker is killed and when the provider goes away, and answers that the worker had not
 * stored.
 */
const mostDoubled = window + 25 + window

/**
 * (d) The texts of an event, through SMPP at 500 a second. Meanwhile a worker is killed, the provider is away for three
 * seconds and every receipt comes twice. No text may be lost, only texts in flight may double, every state must be
 * right.
 */
export async function benchTexts(): Promise<Row[]> {
  // its own worker would send the texts elsewhere
  const product = await Product.start({ ROLES: 'api' })
  const smsc = await startSmsc()
  const worker = await workerOf(product, smsc.url)
  await worker.start()
  try {
    const site = await seedSite(product.pool, { occupants: count, buildings: 1 })
    const times = await sendThroughFaults(product, site, smsc, worker)
    return await rowsOf(product.pool, site.clientUid, smsc, times)
  } finally {
    await worker.stop()
    await smsc.stop()
    await product.stop()
  }
}

type Smsc = Awaited<ReturnType<typeof startSmsc>>

/** Seconds from the start of the event, and the longest pauses after the two faults. */
interface Times {
  firstTaken: number
  afterKill: number
  afterCut: number
  handedOver: number
  settled: number
}

/** Kills the worker at 30 % of the texts and cuts the provider off at 60 %. */
async function sendThroughFaults(
  { url, pool }: Product,
  { clientUid, token }: Site,
  smsc: Smsc,
  worker: ProductNode,
): Promise<Times> {
  const began = performance.now()
  const passed = () => (performance.now() - began) / 1000
  await startEvent(url, token)
  await until(() => smsc.taken() > 0)
  const firstTaken = passed()

  await until(() => smsc.taken() > count * 0.3)
  smsc.takeLongestPause()
  await worker.kill()
  worker.launch()
  await until(() => smsc.taken() > count * 0.6)
  const afterKill = smsc.takeLongestPause()

  await smsc.fail(outageSeconds * 1000)
  const { expected } = await countStates(pool, clientUid)
  await until(() => smsc.copies.size === expected)
  const afterCut = smsc.takeLongestPause()
  const handedOver = passed()

  await until(async () => (await countStates(pool, clientUid)).open === 0)
  return { firstTaken, afterKill, afterCut, handedOver, settled: passed() }
}

async function rowsOf(pool: pg.Pool, clientUid: string, smsc: Smsc, times: Times): Promise<Row[]> {
  const { firstTaken, afterKill, afterCut, handedOver, settled } = times
  const { expected, wrong } = await countStates(pool, clientUid)
  const doubled = [...smsc.copies.values()].filter((copies) => copies > 1).length
  const waits = await listWaits(pool, clientUid)
  const rate = expected / (handedOver - firstTaken - afterKill - afterCut)
  const baseline = expected / perSecond
  console.log(`texts: ${smsc.taken()} taken for ${expected}, receipts`, smsc.receipts())
  return [
    { name: `${expected} texts, seconds until all are handed over`, value: handedOver, baseline, target: '<= 30' },
    { name: 'texts, seconds until the first is handed over', value: firstTaken },
    { name: 'texts, seconds without any after a worker was killed', value: afterKill },
    { name: 'texts, seconds without any for a provider away', value: afterCut, baseline: outageSeconds },
    { name: 'texts a second, those pauses aside', value: rate, baseline: perSecond },
    { name: 'texts, seconds until every state is right', value: settled },
    { name: 'texts, p99 seconds until handed over', value: percentile(waits, 99), target: '<= 30' },
    { name: 'texts lost', value: expected - smsc.copies.size, target: '= 0' },
    { name: 'texts with a wrong state', value: wrong, target: '= 0' },
    { name: 'texts doubled, of those in flight', value: doubled, baseline: mostDoubled, target: `<= ${mostDoubled}` },
  ]
}

/** Seconds from the creation of each text until the provider took it. */
async function listWaits(pool: pg.Pool, clientUid: string): Promise<number[]> {
  const { rows } = await pool.query<{ seconds: number }>(
    `select extract(epoch from p.noted_at - s.created_at)::float8 as seconds from sms s
     join sms_part p on p.sms_client_uid = s.client_uid and p.sms_uid = s.uid where s.client_uid = $1`,
    [clientUid],
  )
  return rows.map(({ seconds }) => seconds)
}

/** Starts an event whose message goes to everyone on the site, or which alerts its wardens. */
export async function startEvent(url: string, token: string, to: 'people' | 'wardens' = 'people'): Promise<void> {
  const call = callerOf(url, token)
  const { data } = await call(listEventSites, {})
  const buildings = data.sites.flatMap((site) => site.buildings.map(({ id }) => id))
  const eventType = data.eventTypes[0]?.id as never
  const message = 'Evacuate now.'
  await call(createEvent, {
    body: {
      buildings,
      eventType,
      message,
      broadcastMessage: to === 'people' ? 'yes' : 'no',
      alertToWarden: to === 'wardens' ? 'yes' : 'no',
    },
  })
}

/** A second process on the database of the product, with the role worker. */
export async function workerOf({ settings }: Product, smppUrl: string): Promise<ProductNode> {
  return new ProductNode({
    port: await findFreePort(),
    settings: {
      ...settings,
      ROLES: 'worker',
      SMS_GATEWAY: 'smpp',
      SMPP_URL: smppUrl,
      SMPP_FROM: '+61491570006',
      SMPP_PER_SECOND: String(perSecond),
      SMPP_WINDOW: String(window),
    },
  })
}

/** Counts the texts that have a mobile number. */
async function countStates(pool: pg.Pool, clientUid: string) {
  const { rows } = await pool.query<{ status: string; mobile: string }>(
    `select status, to_mobile as mobile from sms where client_uid = $1 and status <> 'skipped'`,
    [clientUid],
  )
  const isOpen = ({ status }: { status: string }) => status === 'queued' || status === 'handed_over'
  const rightState = (mobile: string) => (isLost(mobile) ? 'failed' : 'delivered')
  return {
    expected: rows.length,
    open: rows.filter(isOpen).length,
    wrong: rows.filter(({ status, mobile }) => status !== rightState(mobile)).length,
  }
}

export async function until(isSo: () => boolean | Promise<boolean>): Promise<void> {
  const limit = performance.now() + 180_000
  while (!(await isSo())) {
    if (performance.now() > limit) throw new Error('the texts did not get there in three minutes')
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
}
