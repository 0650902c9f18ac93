import { createCipheriv, hkdfSync, randomBytes } from 'node:crypto'
import { listDuplicates } from '#features/people/calls/duplicates.ts'
import { listPeople } from '#features/people/calls/people.ts'
import { callerOf } from '#kernel/client/fetch-caller.ts'
import { secretKey } from '../../rig/access-tokens.ts'
import { seedAdministrator } from '../../rig/administrator.ts'
import { Product } from '../../rig/product.ts'
import { median, type Row, withBaseline } from '../report/report.ts'
import { timed } from '../report/timed.ts'
import { seedSite } from '../seed/seed-site.ts'

const few = 1_000
const many = Number(process.env.BENCH_PEOPLE ?? 1_000_000)
const repeats = Number(process.env.BENCH_PAGES ?? 100)
const warmUps = 10

/** What the list of people costs in a large organisation beside a small one, one request at a time. */
export async function benchLists(): Promise<Row[]> {
  const product = await Product.start()
  try {
    const [small, large] = [await openOrganisation(product, few), await openOrganisation(product, many)]
    const beside = `${many.toLocaleString('en')} people beside ${few.toLocaleString('en')}, ms`
    const rows: Row[] = []
    for (const what of ['first page', 'middle page', 'filter', 'search', 'duplicates'] as const) {
      const times: { small: number[]; large: number[] } = { small: [], large: [] }
      for (let n = 0; n < warmUps + repeats; n++) {
        const [quick, slow] = [await small[what](), await large[what]()]
        if (n < warmUps) continue
        times.small.push(quick)
        times.large.push(slow)
      }
      const name = `list of people, ${what}: ${beside}`
      rows.push(withBaseline(name, median(times.large), median(times.small), '<= 2'))
    }
    return rows
  } finally {
    await product.stop()
  }
}

async function openOrganisation(product: Product, occupants: number) {
  const { clientUid } = await seedSite(product.pool, { occupants, buildings: 10 })
  const call = callerOf(product.url, await seedAdministrator(product.pool, clientUid))
  const { rows } = await product.pool.query<{ uid: string }>(
    'select uid from building where client_uid = $1 order by code limit 1',
    [clientUid],
  )
  const place = rows[0]?.uid as string
  const time = async (query: { after?: string; place?: string; q?: string }) =>
    (await timed(() => call(listPeople, { query }))).ms
  // the last names are numbers of seven digits
  const lastName = String(occupants / 2).padStart(7, '0')
  const middle = sealKey(clientUid, [lastName, 'Occupant', '00000000-0000-4000-8000-000000000000'])
  const someone = `occ ${lastName}`
  return {
    'first page': () => time({}),
    'middle page': () => time({ after: middle }),
    filter: () => time({ place }),
    search: () => time({ q: someone }),
    // the first look reads everyone, and is not measured
    duplicates: async () => (await timed(() => call(listDuplicates, {}))).ms,
  }
}

/** The key of a page as the server seals it: no one pages through half of a million to get there. */
function sealKey(clientUid: string, key: readonly string[]): string {
  const nonce = randomBytes(12)
  const secret = new Uint8Array(hkdfSync('sha256', secretKey, 'evac', 'list keys', 32))
  const sealing = createCipheriv('aes-256-gcm', secret, nonce).setAAD(Buffer.from(`people ${clientUid}`))
  const sealed = [nonce, sealing.update(JSON.stringify(key)), sealing.final(), sealing.getAuthTag()]
  return Buffer.concat(sealed).toString('base64url')
}
