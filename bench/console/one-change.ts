import { savePlan } from '#features/peeps/calls/plans.ts'
import { callerOf } from '#kernel/client/fetch-caller.ts'
import type { PersonUid } from '#kernel/ids.ts'
import { seedAdministrator } from '../../rig/administrator.ts'
import { Product } from '../../rig/product.ts'
import { memoryOf } from '../crowd/crowd.ts'
import { median, type Row, withBaseline } from '../report/report.ts'
import { timed } from '../report/timed.ts'
import { seedSite } from '../seed/seed-site.ts'

const few = 1_000
const many = Number(process.env.BENCH_PEOPLE ?? 1_000_000)
const saves = 100
const rounds = 4

/**
 * PPL-02: what a form of the console costs in a large organisation, beside a small one: the time of one person's change and
 * the memory of the server that makes them. The plan of a person stands for every form: all go through the same door.
 */
export async function benchOneChange(): Promise<Row[]> {
  const product = await Product.start()
  try {
    const small = await openOrganisation(product, few)
    const large = await openOrganisation(product, many)
    await small.saveSome(saves) // warms the server up
    const times: Record<'small' | 'large', number[]> = { small: [], large: [] }
    const memory = { small: 0, large: 0 }
    for (let round = 0; round < rounds; round++) {
      times.small.push(...(await small.saveSome(saves)))
      memory.small = Math.max(memory.small, memoryOf(product.node))
      times.large.push(...(await large.saveSome(saves)))
      memory.large = Math.max(memory.large, memoryOf(product.node))
    }
    const beside = `in an organisation of ${many.toLocaleString('en')} people beside ${few.toLocaleString('en')}`
    return [
      withBaseline(`one person saved ${beside}, ms`, median(times.large), median(times.small), '<= 1.5'),
      withBaseline('the same, memory of the server, MB', memory.large, memory.small, '<= 1.5'),
    ]
  } finally {
    await product.stop()
  }
}

async function openOrganisation(product: Product, occupants: number) {
  const { clientUid } = await seedSite(product.pool, { occupants, buildings: 10 })
  const call = callerOf(product.url, await seedAdministrator(product.pool, clientUid))
  const { rows } = await product.pool.query<{ uid: PersonUid }>(
    `select uid from person where client_uid = $1 and code like 'P%' order by uid limit $2`,
    [clientUid, saves * (rounds + 1)],
  )
  const save = async (personUid: PersonUid) => {
    const plan = { assistance: 'Two people', disability: '', other: '', summary: 'Two people' }
    const agreed = { consent: 'person', consent_on: 'today', review_on: 'today+300' } as const
    await call(savePlan, { params: { personUid }, body: { version: null, ...plan, ...agreed } })
  }
  return {
    /** The milliseconds of each. */
    async saveSome(count: number): Promise<number[]> {
      const times: number[] = []
      for (const { uid } of rows.splice(0, count)) times.push((await timed(() => save(uid))).ms)
      return times
    },
  }
}
