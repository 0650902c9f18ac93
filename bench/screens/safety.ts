import { searchEventPeople } from '@evac/contract/calls/floor-overview.ts'
import { type FilterSet, filterEvacuees, getSafetyData, setEvacueeStatus } from '@evac/contract/calls/safety.ts'
import { defaultFilters } from '@evac/contract/choices.ts'
import { createCaller } from '@evac/contract/client/client.ts'
import { median, type Row } from '../report/report.ts'
import type { World } from '../seed/seed.ts'
import type { SizedWorld } from './floor-page.ts'

const repeats = Number(process.env.BENCH_PAGES ?? 150)
const everyone = { ...defaultFilters, area: 'everyone' } as const

/** (e) What evacuee safety costs at each size, one request at a time, the sizes in turn. */
export async function benchSafety(url: string, sizes: readonly SizedWorld[]): Promise<Row[]> {
  const times = new Map<string, number[]>()
  for (let repeat = -10; repeat < repeats; repeat++)
    for (const { evacuees, world } of sizes)
      for (const [what, ms] of Object.entries(await measure(url, world, repeat + 10))) {
        if (repeat < 0) continue
        const key = `${what}/${evacuees}`
        times.set(key, [...(times.get(key) ?? []), ms])
      }
  const smallest = sizes[0]?.evacuees ?? 0
  const at = (what: string, evacuees: number) => median(times.get(`${what}/${evacuees}`) ?? [])
  const kinds = ['opening', 'next page', 'in danger', 'search', 'assist', 'event search', 'status']
  return kinds.flatMap((what) =>
    sizes.map(({ evacuees }) => ({
      name: `safety: ${what} of ${evacuees.toLocaleString('en')} evacuees, ms`,
      value: at(what, evacuees),
      bare: at(what, smallest),
      ratio: at(what, evacuees) / at(what, smallest),
      aim: '<= 1.3',
    })),
  )
}

async function measure(url: string, world: World, n: number): Promise<Record<string, number>> {
  const call = createCaller(async ({ method, url: path, body }) => {
    const response = await fetch(url + path, {
      method,
      headers: { authorization: `Bearer ${world.tokens[0]}`, 'content-type': 'application/json' },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    })
    return { status: response.status, json: await response.json() }
  })
  const filter = (filters: FilterSet, query = {}) => call(filterEvacuees, { query, body: filters })
  const person = world.people[n % 50]?.personUid as never
  const opening = await timed(() => call(getSafetyData, { body: null }))
  const url2 = opening.result.pagination.next_page_url
  const next = Object.fromEntries(new URLSearchParams(url2?.split('?')[1]))
  return {
    opening: opening.ms,
    'next page': (await timed(() => filter(everyone, next))).ms,
    status: (
      await timed(() => call(setEvacueeStatus, { body: { evacueeId: person, status: n % 2 ? 'in danger' : 'safe' } }))
    ).ms,
    'in danger': (await timed(() => filter({ ...everyone, display: 'danger' }))).ms,
    // a few people in each world: what is found decides the cost, not where it is looked for
    search: (await timed(() => filter({ ...everyone, search: world.someone }))).ms,
    assist: (await timed(() => filter({ ...everyone, assist: true }))).ms,
    'event search': (await timed(() => call(searchEventPeople, { params: { text: world.someone }, query: {} }))).ms,
  }
}

async function timed<T>(work: () => Promise<T>): Promise<{ ms: number; result: T }> {
  const start = performance.now()
  const result = await work()
  return { ms: performance.now() - start, result }
}
