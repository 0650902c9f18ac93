import { Product } from '../../rig/product.ts'
import { median, type Row, withBaseline } from '../report/report.ts'
import { seedSite } from '../seed/seed-site.ts'
import { startSmsc } from './smsc-simulator.ts'
import { startEvent, until, workerOf } from './texts.ts'

const floors = 25
const buildings = Number(process.env.BENCH_TEXTS ?? 10_000) / floors
const rounds = Number(process.env.BENCH_ROUNDS ?? 3)

/** The alerts of wardens, each with steps until it is answered, beside alerts that are texted once. At 500 texts a second. */
export async function benchReach(): Promise<Row[]> {
  // its own worker would send the texts elsewhere
  const product = await Product.start({ ROLES: 'api' })
  const smsc = await startSmsc()
  const worker = await workerOf(product, smsc.url)
  await worker.start()
  const times: Record<'as_before' | 'until_they_answer', number[]> = { as_before: [], until_they_answer: [] }
  try {
    for (let round = 0; round < rounds; round++)
      for (const plan of ['as_before', 'until_they_answer'] as const) {
        const { clientUid, token, wardenTokens } = await seedSite(product.pool, { occupants: 0, buildings, floors })
        await product.pool.query('update client set reach = $2 where uid = $1', [
          clientUid,
          { plans: { report_in: plan }, calls: 0 },
        ])
        const before = smsc.taken()
        const began = performance.now()
        await startEvent(product.url, token, 'wardens')
        await until(() => smsc.taken() - before === wardenTokens.length)
        times[plan].push((performance.now() - began) / 1000)
      }
  } finally {
    await worker.stop()
    await smsc.stop()
    await product.stop()
  }
  const name = `${(buildings * floors).toLocaleString('en')} wardens alerted until they answer, beside once, s`
  return [withBaseline(name, median(times.until_they_answer), median(times.as_before), '<= 1.05')]
}
