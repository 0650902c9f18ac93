import { searchEventPeople } from '#features/evacuation/calls/floor-overview.ts'
import { type FilterSet, filterEvacuees, getSafetyData, setEvacueeStatus } from '#features/evacuation/calls/safety.ts'
import { callerOf } from '#kernel/client/fetch-caller.ts'
import { defaultFilters } from '#kernel/kinds.ts'
import type { Row } from '../report/report.ts'
import { timed } from '../report/timed.ts'
import type { World } from '../seed/seed.ts'
import { compareSizes, type Measured, type SizedWorld } from './sizes.ts'

const everyone = { ...defaultFilters, area: 'everyone' } as const

/** (e) The requests of evacuee safety at each number of evacuees, one request at a time. */
export const benchSafety = (url: string, sizes: readonly SizedWorld[]): Promise<Row[]> =>
  compareSizes(sizes, 'safety: ', (world, n) => measure(url, world, n))

async function measure(url: string, world: World, n: number): Promise<Measured> {
  const call = callerOf(url, world.tokens[0])
  const filter = (filters: FilterSet, query = {}) => call(filterEvacuees, { query, body: filters })
  const person = world.people[n % 50]?.personUid as never
  const status = { evacueeId: person, status: n % 2 ? 'in danger' : 'safe' } as const
  const opening = await timed(() => call(getSafetyData, { body: null }))
  const next = Object.fromEntries(new URLSearchParams(opening.result.pagination.next_page_url?.split('?')[1]))
  return {
    opening: opening.ms,
    'next page': (await timed(() => filter(everyone, next))).ms,
    status: (await timed(() => call(setEvacueeStatus, { body: status }))).ms,
    'in danger': (await timed(() => filter({ ...everyone, display: 'danger' }))).ms,
    // each world has few people of that name: the number found decides the cost, not the number searched
    search: (await timed(() => filter({ ...everyone, search: world.someone }))).ms,
    assist: (await timed(() => filter({ ...everyone, assist: true }))).ms,
    'event search': (await timed(() => call(searchEventPeople, { params: { text: world.someone }, query: {} }))).ms,
  }
}
