import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Product } from '../../rig/product.ts'
import { median, type Row, withBaseline } from '../report/report.ts'
import { timed } from '../report/timed.ts'

const held = 15_000
const added = 5_000
const rounds = 3

/**
 * IMP-13: people added to an organisation whose rows the planner's statistics do not know. The baseline is the same import
 * into an organisation without people.
 */
export async function benchUnknownOrganisation(): Promise<Row> {
  const folder = mkdtempSync(join(tmpdir(), 'evac-bench-unknown-'))
  const product = await Product.start()
  try {
    await product.pool.query('alter system set autovacuum = off')
    await product.pool.query('select pg_reload_conf()')
    const times: Record<'full' | 'empty', number[]> = { full: [], empty: [] }
    for (let round = 0; round < rounds; round++) {
      times.empty.push(await addPeople(product, join(folder, `empty${round}`), `EMPTY${round}`, 1))
      times.full.push(await addPeople(product, join(folder, `full${round}`), `FULL${round}`, held))
    }
    const what = `import of ${added.toLocaleString('en')} people into ${held.toLocaleString('en')} that the statistics do not know, s`
    return withBaseline(what, median(times.full), median(times.empty), '<= 1.5')
  } finally {
    await product.stop()
    rmSync(folder, { recursive: true, force: true })
  }
}

/** Returns the seconds that adding them takes. */
async function addPeople(product: Product, folder: string, code: string, people: number): Promise<number> {
  const size = ['--people', String(people), '--code', code]
  execFileSync(process.execPath, ['scripts/make-organisation.mjs', folder, ...size])
  await product.import(folder)
  for (const file of ['peeps.csv', 'assignments.csv']) rmSync(join(folder, file), { force: true })
  const [, floor = ''] = readFileSync(join(folder, 'floors.csv'), 'utf8').split('\n')
  const place = floor.split(',').slice(0, 2).join('/')
  const rows = Array.from({ length: added }, (_, n) => `NEW${n},New,Person,${place}\n`)
  writeFileSync(join(folder, 'people.csv'), `code,first_name,last_name,floor\n${rows.join('')}`)
  return (await timed(() => product.import(folder))).ms / 1000
}
