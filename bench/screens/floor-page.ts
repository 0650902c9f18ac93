import { getFloorData, listOccupants, searchOccupants } from '@evac/contract/calls/evacuation.ts'
import { createCaller } from '@evac/contract/client/client.ts'
import { median, type Row } from '../report/report.ts'
import type { World } from '../seed/seed.ts'

const repeats = Number(process.env.BENCH_PAGES ?? 150)

export interface SizedWorld {
  evacuees: number
  world: World
}

/** (c) What a floor page costs at each size, one request at a time, the sizes in turn. */
export async function benchFloorPages(url: string, sizes: readonly SizedWorld[]): Promise<Row[]> {
  const times = new Map<string, number[]>()
  for (let repeat = -10; repeat < repeats; repeat++)
    for (const { evacuees, world } of sizes) {
      const measured = await measure(url, world)
      if (repeat < 0) continue
      for (const [what, ms] of Object.entries(measured)) {
        const key = `${what}/${evacuees}`
        times.set(key, [...(times.get(key) ?? []), ms])
      }
    }
  const at = (what: string, evacuees: number) => median(times.get(`${what}/${evacuees}`) ?? [])
  const smallest = sizes[0]?.evacuees ?? 0
  return ['floor data', 'first page', 'next page', 'search'].flatMap((what) =>
    sizes.map(({ evacuees }) => ({
      name: `${what} of ${evacuees.toLocaleString('en')} evacuees, ms`,
      value: at(what, evacuees),
      bare: at(what, smallest),
      ratio: at(what, evacuees) / at(what, smallest),
      aim: '<= 1.3',
    })),
  )
}

async function measure(url: string, world: World): Promise<Record<string, number>> {
  const call = createCaller(async ({ method, url: path }) => {
    const response = await fetch(url + path, { method, headers: { authorization: `Bearer ${world.tokens[0]}` } })
    return { status: response.status, json: await response.json() }
  })
  const floor = world.floors[0] as never
  const data = await timed(() => call(getFloorData, {}))
  const first = await timed(() => call(listOccupants, { query: { floor } }))
  const next = new URLSearchParams(first.result.pagination.next_page_url?.split('?')[1] ?? '')
  const second = await timed(() => call(listOccupants, { query: Object.fromEntries(next) as never }))
  const search = await timed(() => call(searchOccupants, { params: { text: world.someone } }))
  return { 'floor data': data.ms, 'first page': first.ms, 'next page': second.ms, search: search.ms }
}

async function timed<T>(work: () => Promise<T>): Promise<{ ms: number; result: T }> {
  const start = performance.now()
  const result = await work()
  return { ms: performance.now() - start, result }
}
