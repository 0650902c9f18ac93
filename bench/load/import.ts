import { execFile } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { promisify } from 'node:util'
import { Product } from '../../rig/product.ts'
import { median, percentile, type Row, withBaseline } from '../report/report.ts'
import { seedWorld } from '../seed/seed.ts'
import { followEvent, recordStatus } from './fan-out.ts'

const people = Number(process.env.BENCH_IMPORT_PEOPLE ?? 50_000)
const pushes = 60
/** About the pace of wardens who check a floor. Without this pause the pushes themselves would be the load. */
const betweenMs = 50
const run = promisify(execFile)

/**
 * The time to import an organisation as the second one. The baseline is its import into an empty database. Then the
 * time of a push to another organisation's phones during a third import. The baseline is the push before it.
 */
export async function benchImport(): Promise<Row[]> {
  const folder = mkdtempSync(join(tmpdir(), 'evac-bench-import-'))
  const product = await Product.start()
  try {
    const first = await importInto(product, folder, 'FIRST', '0492')
    const second = await importInto(product, folder, 'SECOND', '0493')
    const world = await seedWorld(product.pool, { evacuees: 1000, wardens: 20 })
    const crowd = await followEvent(product.url, world, world.tokens.length)
    let change = 0
    const push = async () => {
      await pause(betweenMs)
      return crowd.timeChange(() => recordStatus(product.url, world, change++))
    }
    const idle: number[] = []
    while (change < pushes) idle.push(...(await push()))
    const during: number[] = []
    let isOver = false
    const third = importInto(product, folder, 'THIRD', '0494').finally(() => {
      isOver = true
    })
    while (!isOver) during.push(...(await push()))
    await third
    await crowd.leave()
    const size = `${people.toLocaleString('en')} people`
    return [
      withBaseline(`import of ${size} as a second organisation beside the first, s`, second, first, '<= 1.5'),
      withBaseline('live push while an import writes beside before, p50 ms', median(during), median(idle), '<= 2'),
      { name: 'the same, p99 ms', value: percentile(during, 99), baseline: percentile(idle, 99) },
    ]
  } finally {
    await product.stop()
    rmSync(folder, { recursive: true, force: true })
  }
}

/** Returns the seconds that the import command takes. */
async function importInto(product: Product, parent: string, code: string, mobiles: string): Promise<number> {
  const folder = join(parent, code)
  const size = ['--people', String(people), '--code', code, '--mobiles', mobiles]
  await run(process.execPath, ['scripts/make-organisation.mjs', folder, ...size])
  const start = performance.now()
  await product.import(folder)
  return (performance.now() - start) / 1000
}
