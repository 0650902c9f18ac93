import { existsSync, readFileSync, rmSync } from 'node:fs'
import { resolve } from 'node:path'
import { type CentrifugoRig, startCentrifugo } from '../../rig/centrifugo.ts'
import { makeTemporaryFolder, Product, testSettings } from '../../rig/product.ts'
import type { Program } from '../../rig/program.ts'
import { findFreePort } from '../../scripts/lib/free-ports.ts'
import { type Crowd, memoryOf, requireFiles } from '../crowd/crowd.ts'
import { percentile, type Row, withBaseline } from '../report/report.ts'
import { seedWorld, type World } from '../seed/seed.ts'
import { followEvent, recordStatus } from './fan-out.ts'

const sockets = Number(process.env.BENCH_SOCKETS?.split(',')[0] ?? 10_000)
const changes = Number(process.env.BENCH_CHANGES ?? 40)
const built = resolve(import.meta.dirname, '../../.runtime/go/bin/centrifugo')

/** Something that holds sockets, and what it took for them. */
interface Holder {
  url: string
  world: World
  holds: Program
  /** All programs that have a part in a change. */
  works: Program[]
  crowd?: Crowd
  grownBy: number
  times: number[]
  /** Seconds of processor time in all changes. */
  seconds: number
}

/**
 * 10,000 sockets at the own hub, the baseline, and at Centrifugo, with changes in turns: memory a socket, the time of one change, and the
 * processor time it takes, of all programs that have a part in it. Needs what `npm run test:centrifugo` builds.
 */
export async function benchSockets(product: Product): Promise<Row[]> {
  if (!existsSync(built)) {
    console.error('The part sockets needs Centrifugo: npm run test:centrifugo -- clients builds it.')
    return []
  }
  requireFiles(sockets + 500)
  const folder = makeTemporaryFolder('evac-sockets-')
  const port = await findFreePort()
  const appUrl = `http://127.0.0.1:${port}`
  const rig = await startCentrifugo(folder, { ...testSettings, APP_URL: appUrl })
  const other = await Product.start({ ...rig.settings, APP_URL: appUrl })
  try {
    const own = await holderOf(product, product.node, [product.node])
    const theirs = await holderOf(other, rig.centrifugo, programsOf(other, rig))
    for (const holder of [own, theirs]) await gather(holder)
    for (let n = 0; n < changes; n++) for (const holder of [own, theirs]) await change(holder, n)
    await Promise.all([own.crowd?.leave(), theirs.crowd?.leave()])
    return rowsOf(theirs, own)
  } finally {
    await other.stop()
    await rig.stop()
    rmSync(folder, { recursive: true, force: true })
  }
}

const programsOf = ({ node }: Product, { centrifugo, redis }: CentrifugoRig) => [
  node,
  centrifugo,
  ...(redis ? [redis] : []),
]

async function holderOf({ url, pool }: Product, holds: Program, works: Program[]): Promise<Holder> {
  console.log(`Seeding ${sockets.toLocaleString('en')} wardens …`)
  const world = await seedWorld(pool, { evacuees: 1000, wardens: sockets })
  return { url, world, holds, works, grownBy: 0, times: [], seconds: 0 }
}

async function gather(holder: Holder) {
  const before = memoryOf(holder.holds)
  holder.crowd = await followEvent(holder.url, holder.world, sockets)
  holder.grownBy = memoryOf(holder.holds) - before
}

async function change(holder: Holder, n: number) {
  const before = secondsOf(holder.works)
  holder.times.push(...((await holder.crowd?.timeChange(() => recordStatus(holder.url, holder.world, n))) ?? []))
  holder.seconds += secondsOf(holder.works) - before
}

/** Processor time of programs on Linux, in hundredths of a second. */
const secondsOf = (programs: readonly Program[]) =>
  programs.reduce((sum, { pid }) => {
    const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]?.split(' ') ?? []
    return sum + (Number(fields[11]) + Number(fields[12])) / 100
  }, 0)

function rowsOf(theirs: Holder, own: Holder): Row[] {
  const many = `${sockets.toLocaleString('en')} sockets`
  const row = (name: string, of: (holder: Holder) => number, target?: string) =>
    withBaseline(`Centrifugo beside the own hub: ${name}`, of(theirs), of(own), target)
  return [
    row(`kB a socket of ${many}`, ({ grownBy }) => (grownBy * 1024) / sockets),
    row(`one change to ${many}, p50 ms`, ({ times }) => percentile(times, 50)),
    row(`one change to ${many}, p99 ms`, ({ times }) => percentile(times, 99), '<= 1.5'),
    row('processor ms of one change', ({ seconds }) => (seconds * 1000) / changes),
  ]
}
