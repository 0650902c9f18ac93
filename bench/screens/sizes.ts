import { median, type Row } from '../report/report.ts'
import type { World } from '../seed/seed.ts'

const repeats = Number(process.env.BENCH_PAGES ?? 150)
const warmUps = 10

export interface SizedWorld {
  evacuees: number
  world: World
}

/** Milliseconds by name of the request. */
export type Measured = Record<string, number>

/** Measures the same requests in each world in turn, and compares each median with the one of the smallest world. */
export async function compareSizes(
  sizes: readonly SizedWorld[],
  prefix: string,
  measure: (world: World, n: number) => Promise<Measured>,
): Promise<Row[]> {
  const times = new Map<number, Map<string, number[]>>(sizes.map(({ evacuees }) => [evacuees, new Map()]))
  for (let n = 0; n < warmUps + repeats; n++)
    for (const { evacuees, world } of sizes)
      for (const [what, ms] of Object.entries(await measure(world, n)))
        if (n >= warmUps) times.get(evacuees)?.set(what, [...(times.get(evacuees)?.get(what) ?? []), ms])
  const smallest = times.get(sizes[0]?.evacuees ?? 0)
  return [...(smallest?.keys() ?? [])].flatMap((what) =>
    sizes.map(({ evacuees }) => {
      const value = median(times.get(evacuees)?.get(what) ?? [])
      const baseline = median(smallest?.get(what) ?? [])
      const name = `${prefix}${what} of ${evacuees.toLocaleString('en')} evacuees, ms`
      return { name, value, baseline, ratio: value / baseline, target: '<= 1.3' }
    }),
  )
}
