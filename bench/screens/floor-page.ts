import { getFloorData, listOccupants, searchOccupants } from '#features/evacuation/calls/evacuation.ts'
import { callerOf } from '#kernel/client/fetch-caller.ts'
import type { Row } from '../report/report.ts'
import { timed } from '../report/timed.ts'
import type { World } from '../seed/seed.ts'
import { compareSizes, type Measured, type SizedWorld } from './sizes.ts'

/** (c) The requests of a floor page at each number of evacuees, one request at a time. */
export const benchFloorPages = (url: string, sizes: readonly SizedWorld[]): Promise<Row[]> =>
  compareSizes(sizes, '', (world) => measure(url, world))

async function measure(url: string, world: World): Promise<Measured> {
  const call = callerOf(url, world.tokens[0])
  const floor = world.floors[0] as never
  const data = await timed(() => call(getFloorData, {}))
  const first = await timed(() => call(listOccupants, { query: { floor } }))
  const next = new URLSearchParams(first.result.pagination.next_page_url?.split('?')[1] ?? '')
  const second = await timed(() => call(listOccupants, { query: Object.fromEntries(next) as never }))
  const search = await timed(() => call(searchOccupants, { params: { text: world.someone } }))
  return { 'floor data': data.ms, 'first page': first.ms, 'next page': second.ms, search: search.ms }
}
