import { createEvent, listEventSites } from '@evac/contract/calls/events.ts'
import { callerOf } from '@evac/contract/client/fetch-caller.ts'
import { Product, ProductNode } from '../../rig/product.ts'
import { findFreePort } from '../../scripts/lib/free-ports.ts'
import { percentile, type Row } from '../report/report.ts'
import { seedSite } from '../seed/seed-site.ts'
import { isLost, startCentre } from './text-centre.ts'

const count = Number(process.env.BENCH_TEXTS ?? 10_000)
const perSecond = 500
const outageSeconds = 3
/** Wide enough for that rate while an answer takes 50 ms. */
const window = 25
/** In flight when the worker is killed, with what it had not written down yet, and when the line is cut. */
const mostDoubled = window + 25 + window

/**
 * (d) An event's texts through SMPP at 500 a second, while a worker is killed, the provider goes away for three seconds and
 * every receipt comes twice: none may be lost, only those in flight may double, and every state must be right.
 */
export async function benchTexts(): Promise<Row[]> {
  // without a worker of its own, whose texts would go elsewhere
  const product = await Product.start({ ROLES: 'api' })
  const { pool } = product
  const centre = await startCentre()
  const { clientUid, token } = await seedSite(pool, { occupants: count, buildings: 1 })
  const worker = await workerOf(product, centre.url)
  await worker.start()
  try {
    const began = performance.now()
    const passed = () => (performance.now() - began) / 1000
    await startEvent(product.url, token)
    await until(() => centre.taken() > 0)
    const firstTaken = passed()

    await until(() => centre.taken() > count * 0.3)
    centre.takeLongestPause()
    await worker.kill()
    worker.launch()
    await until(() => centre.taken() > count * 0.6)
    const afterKill = centre.takeLongestPause()

    const atCut = centre.taken()
    await centre.fail(outageSeconds * 1000)
    const { expected } = await countStates(pool, clientUid)
    await until(() => centre.copies.size === expected)
    const afterCut = centre.takeLongestPause()
    const handedOver = passed()
    await until(async () => (await countStates(pool, clientUid)).open === 0)
    const settled = passed()

    const states = await countStates(pool, clientUid)
    const waits = await pool.query(
      `select extract(epoch from p.noted_at - s.created_at)::float8 as seconds from sms s
       join sms_part p on p.sms_client_uid = s.client_uid and p.sms_uid = s.uid where s.client_uid = $1`,
      [clientUid],
    )
    const seconds = waits.rows.map((row) => row.seconds as number)
    const doubled = [...centre.copies.values()].filter((copies) => copies > 1).length
    console.log(`texts: cut at ${atCut}, ${centre.taken()} taken for ${expected}, receipts`, centre.receipts(), states)
    const bare = expected / perSecond
    return [
      { name: `${expected} texts, seconds until all are handed over`, value: handedOver, bare, aim: '<= 30' },
      { name: 'texts, seconds until the first is handed over', value: firstTaken },
      { name: 'texts, seconds without any after a worker was killed', value: afterKill },
      { name: 'texts, seconds without any for a provider away', value: afterCut, bare: outageSeconds },
      {
        name: 'texts a second, those pauses aside',
        value: expected / (handedOver - firstTaken - afterKill - afterCut),
        bare: perSecond,
      },
      { name: 'texts, seconds until every state is right', value: settled },
      { name: 'texts, p99 seconds until handed over', value: percentile(seconds, 99), aim: '<= 30' },
      { name: 'texts lost', value: expected - centre.copies.size, aim: '= 0' },
      { name: 'texts with a wrong state', value: states.wrong, aim: '= 0' },
      { name: 'texts doubled, of those in flight', value: doubled, bare: mostDoubled, aim: `<= ${mostDoubled}` },
    ]
  } finally {
    await worker.stop()
    await centre.stop()
    await product.stop()
  }
}

/** An event whose message goes to everybody on the site. */
async function startEvent(url: string, token: string): Promise<void> {
  const call = callerOf(url, token)
  const { data } = await call(listEventSites, {})
  const buildings = data.sites.flatMap((site) => site.buildings.map(({ id }) => id))
  const eventType = data.eventTypes[0]?.id as never
  const message = 'Evacuate now.'
  await call(createEvent, {
    body: { buildings, eventType, message, broadcastMessage: 'yes', alertToWarden: 'no' },
  })
}

/** A second process on the database of the product, in the role of a worker. */
async function workerOf({ settings }: Product, smppUrl: string): Promise<ProductNode> {
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

/** Of the texts that have somewhere to go. */
async function countStates(pool: Product['pool'], clientUid: string) {
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

async function until(isSo: () => boolean | Promise<boolean>): Promise<void> {
  const limit = performance.now() + 180_000
  while (!(await isSo())) {
    if (performance.now() > limit) throw new Error('the texts did not get there in three minutes')
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
}
