import { createEvent, endEvent, makeEventLive } from '#features/events/calls/events.ts'
import { getRecord, listRecords, listTimeline } from '#features/records/calls/records.ts'
import { callerOf } from '#kernel/client/fetch-caller.ts'
import type { CallInput } from '#kernel/route.ts'
import { Product } from '../../rig/product.ts'
import { measureRate, recordsOf, rounds, seconds } from '../load/record-status.ts'
import { median, percentile, type Row, withBaseline } from '../report/report.ts'
import { timed } from '../report/timed.ts'
import { seedWorld } from '../seed/seed.ts'
import { seedSite } from '../seed/seed-site.ts'
import { largePdfRows } from './large-pdf.ts'
import { logRows } from './log-rows.ts'
import { everyBuilding, type PastEvent, seedEarlier, seedPastEvent, timeAggregate } from './past-event.ts'

const people = Number(process.env.BENCH_RECORD_PEOPLE ?? 100_000)
const repeats = 100

/** What a record of a large event costs beside one of a small event. */
export async function benchRecords(): Promise<Row[]> {
  const product = await Product.start()
  try {
    const small = await seedPastEvent(product, { people: 100, buildings: 1 })
    const large = await seedPastEvent(product, { people, buildings: 16 })
    const aggregate = await timeAggregate(product, large)
    await seedEarlier(product, small, 25)
    await seedEarlier(product, large, 5_000)
    const entries = large.entries.toLocaleString('en')
    return [
      withBaseline(`record of ${entries} entries written, ms`, large.writeMs, aggregate, '<= 2'),
      {
        name: 'longest transaction meanwhile that holds the feed back, ms',
        value: large.heldBackMs,
        target: '<= 250 ms',
      },
      ...(await readRows(small, large, await middleOf(product, large))),
      ...(await largePdfRows(large)),
      ...(await logRows(product, large)),
      await madeLiveRow(large),
    ]
  } finally {
    await product.stop()
  }
}

/** Each page of the large organisation in turns with the first page of the small one. */
async function readRows(small: PastEvent, large: PastEvent, middle: string): Promise<Row[]> {
  const open = ({ call, eventUid }: PastEvent) => call(getRecord, { params: { eventUid: eventUid as never } })
  const timeline = ({ call, eventUid }: PastEvent, query: CallInput<typeof listTimeline>['query']) =>
    call(listTimeline, { params: { eventUid: eventUid as never }, query })
  const list = ({ call }: PastEvent, query: CallInput<typeof listRecords>['query'] = {}) => call(listRecords, { query })
  const deep = (await list(large, { kind: 'drill' })).next ?? ''
  const beside = 'of the large event beside the small one'
  const [opened, first, all, page, listed, further, found] = [
    await inTurns(
      () => open(large),
      () => open(small),
    ),
    await inTurns(
      () => timeline(large, {}),
      () => timeline(small, {}),
    ),
    await inTurns(
      () => timeline(large, { show: 'all', after: middle }),
      () => timeline(small, { show: 'all' }),
    ),
    await inTurns(
      () => timeline(large, { after: middle }),
      () => timeline(small, {}),
    ),
    await inTurns(
      () => list(large),
      () => list(small),
    ),
    await inTurns(
      () => list(large, { after: deep }),
      () => list(small),
    ),
    await inTurns(
      () => list(large, { q: 'site' }),
      () => list(small),
    ),
  ]
  const row = (name: string, [value, baseline]: number[][], p: number, target: string) =>
    withBaseline(name, percentile(value as number[], p), percentile(baseline as number[], p), target)
  return [
    row(`record ${beside}, p95 ms`, opened, 95, '<= 1.5'),
    row(`key moments ${beside}, first page, ms`, first, 50, '<= 2'),
    row('key moments from the middle, ms', page, 50, '<= 2'),
    row('everything from the middle, ms', all, 50, '<= 2'),
    row('list of 5,000 records, first page, ms', listed, 50, '<= 2'),
    row('the same, second page, ms', further, 50, '<= 2'),
    row('the same, search, ms', found, 50, '<= 2'),
  ]
}

async function inTurns(...works: (() => Promise<unknown>)[]): Promise<number[][]> {
  const times: number[][] = works.map(() => [])
  for (let n = -10; n < repeats; n++)
    for (const [i, work] of works.entries()) {
      const { ms } = await timed(work)
      if (n >= 0) times[i]?.push(ms)
    }
  return times
}

/** The key of the entry in the middle. */
async function middleOf({ pool }: Product, { eventUid, entries }: PastEvent): Promise<string> {
  const { rows } = await pool.query(
    `select xid::text || '.' || position as key from journal where event_uid = $1 order by xid, position offset $2 limit 1`,
    [eventUid, Math.floor(entries / 2)],
  )
  return rows[0].key
}

/** KIND-13 beside the start of the same drill. */
async function madeLiveRow({ call }: PastEvent): Promise<Row> {
  const body = await everyBuilding(call)
  const times: number[][] = [[], []]
  for (let round = 0; round < 3; round++) {
    const start = await timed(() =>
      call(createEvent, { body: { ...body, kind: 'drill', broadcastMessage: 'yes', alertToWarden: 'no' } }),
    )
    const event = start.result.event?.id as never
    const live = await timed(() => call(makeEventLive, { body: { event, message: 'THIS IS NOT A DRILL.' } }))
    await call(endEvent, { body: { ...body, broadcastMessage: 'no' } })
    times[0]?.push(live.ms)
    times[1]?.push(start.ms)
  }
  const name = `a drill of ${people.toLocaleString('en')} people made live beside its start, ms`
  return withBaseline(name, median(times[0] ?? []), median(times[1] ?? []), '<= 1.5')
}

/** The end of an event and the hot status write with records and sealing, beside a product whose worker is off. */
export async function benchSealing(): Promise<Row[]> {
  const products = [await Product.start(), await Product.start({ ROLES: 'api,hub' })]
  try {
    const ends: number[][] = [[], []]
    const rates: number[][] = [[], []]
    const worlds = await Promise.all(products.map(({ pool }) => seedWorld(pool, { evacuees: 1000, wardens: 1000 })))
    for (let round = 0; round < rounds; round++)
      for (const [i, product] of products.entries()) {
        const { rate } = await measureRate(product.url, recordsOf(worlds[i] as never), seconds)
        rates[i]?.push(rate)
      }
    const sites = []
    for (const { pool, url } of products) {
      const { token } = await seedSite(pool, { occupants: 10_000, buildings: 16 })
      const call = callerOf(url, token)
      sites.push({ call, body: await everyBuilding(call) })
    }
    for (let round = 0; round < rounds; round++)
      for (const [i, { call, body }] of sites.entries()) {
        await call(createEvent, { body: { ...body, broadcastMessage: 'no', alertToWarden: 'no' } })
        ends[i]?.push((await timed(() => call(endEvent, { body: { ...body, broadcastMessage: 'no' } }))).ms)
      }
    const on = (all: number[][]) => median(all[0] ?? [])
    const off = (all: number[][]) => median(all[1] ?? [])
    return [
      withBaseline('end of an event with records and sealing beside without, ms', on(ends), off(ends), '<= 1.1'),
      withBaseline(
        'time of a status record with sealing beside without, ms',
        1000 / on(rates),
        1000 / off(rates),
        '<= 1.05',
      ),
    ]
  } finally {
    for (const product of products) await product.stop()
  }
}
