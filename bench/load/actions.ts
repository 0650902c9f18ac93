import { changeAction, createEvent, endEvent, makeEventLive } from '#features/events/calls/events.ts'
import { callerOf } from '#kernel/client/fetch-caller.ts'
import { Product } from '../../rig/product.ts'
import { everyBuilding } from '../records/past-event.ts'
import { median, type Row, withBaseline } from '../report/report.ts'
import { timed } from '../report/timed.ts'
import { seedWorld } from '../seed/seed.ts'
import { seedSite } from '../seed/seed-site.ts'
import { measureRate, recordsOf, rounds, seconds } from './record-status.ts'

const occupants = Number(process.env.BENCH_ACTION_PEOPLE ?? 100_000)
const starts = Number(process.env.BENCH_STARTS ?? 3)

/** What a lockdown costs beside an evacuation: a status record, a start, and a change of the action beside a drill made live. */
export async function benchActions(): Promise<Row[]> {
  const product = await Product.start()
  try {
    return [await statusRow(product), ...(await changeRows(product))]
  } finally {
    await product.stop()
  }
}

/** The same records in two worlds in turns, in one of which people hide. */
async function statusRow({ pool, url }: Product): Promise<Row> {
  const size = { evacuees: 1000, wardens: 1000 }
  const [leaving, hiding] = [await seedWorld(pool, size), await seedWorld(pool, size)]
  await pool.query(`update event_building set action = 'lockdown' where event_uid = $1`, [hiding.eventUid])
  const rates: [number[], number[]] = [[], []]
  for (let round = -1; round < rounds; round++)
    for (const [i, world] of [hiding, leaving].entries()) {
      const { rate } = await measureRate(url, recordsOf(world), seconds)
      if (round >= 0) rates[i]?.push(rate)
    }
  const [hidden, left] = rates.map(median) as [number, number]
  return withBaseline(
    'time of a status record in a lockdown beside an evacuation, ms',
    1000 / hidden,
    1000 / left,
    '<= 1.05',
  )
}

/** In each round a drill is started and made live, a lockdown is started, and an evacuation turns into one. Everyone is safe before. */
async function changeRows({ pool, url }: Product): Promise<Row[]> {
  const { clientUid, token } = await seedSite(pool, { occupants, buildings: 16 })
  const call = callerOf(url, token)
  const { buildings, eventType: fire } = await everyBuilding(call)
  const { rows } = await pool.query(
    `insert into event_type (client_uid, code, type, action) values ($1, 'LOCK', 'Intruder', 'lockdown') returning uid`,
    [clientUid],
  )
  const intruder = rows[0].uid as never
  const times: Record<'evacuate' | 'lockdown' | 'live' | 'change', number[]> = {
    evacuate: [],
    lockdown: [],
    live: [],
    change: [],
  }
  const start = async (eventType: never, kind: 'live' | 'drill') => {
    const body = { buildings, eventType, kind, message: 'Now.', broadcastMessage: 'yes', alertToWarden: 'no' } as const
    const { ms, result } = await timed(() => call(createEvent, { body }))
    times[eventType === intruder ? 'lockdown' : 'evacuate'].push(ms)
    await pool.query(`update evacuee set status = 'safe' where client_uid = $1 and active`, [clientUid])
    await pool.query(`update tally set safe = unknown, unknown = 0 where client_uid = $1`, [clientUid])
    return result.event?.id as never
  }
  const end = (eventType: never) =>
    call(endEvent, { body: { buildings, eventType, message: 'Over.', broadcastMessage: 'no' } })
  for (let round = 0; round < starts; round++) {
    const drill = await start(fire, 'drill')
    times.live.push((await timed(() => call(makeEventLive, { body: { event: drill, message: 'Real.' } }))).ms)
    await end(fire)
    await start(intruder, 'live')
    await end(intruder)
    const event = await start(fire, 'live')
    const change = { event, buildings, action: 'lockdown', again: 'yes', base: null } as const
    const body = { ...change, message: 'Hide.', broadcastMessage: 'yes' } as const
    times.change.push((await timed(() => call(changeAction, { body }))).ms)
    await end(fire)
  }
  const people = occupants.toLocaleString('en')
  const at = (what: keyof typeof times) => median(times[what])
  return [
    withBaseline(
      `start of a lockdown of ${people} beside an evacuation, ms`,
      at('lockdown'),
      at('evacuate'),
      '<= 1.05',
    ),
    withBaseline(
      `change to a lockdown, all ${people} counted again, beside a drill made live, ms`,
      at('change'),
      at('live'),
      '<= 1.5',
    ),
  ]
}
