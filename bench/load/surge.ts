import { randomUUID } from 'node:crypto'
import autocannon from 'autocannon'
import type pg from 'pg'
import { reportIn } from '#features/duty/calls/report-in.ts'
import { type Row, withBaseline } from '../report/report.ts'
import { seedWorld, type World } from '../seed/seed.ts'

const wardens = Number(process.env.BENCH_WARDENS ?? 10_000)
const connections = Math.min(1000, wardens)

/**
 * (e) An event has begun, and every warden taps Report In twice at once. Half of the second taps carry the key of the
 * first, like a browser's retry. The other half carry a new key, like a second tap. The baseline is as many bare
 * requests, each with a session look-up and an UPDATE of the same table.
 */
export async function benchSurge(url: string, bareUrl: string, pool: pg.Pool): Promise<Row[]> {
  const world = await seedWaiting(pool)
  const other = await seedWaiting(pool)
  const theirs = await drain(bareUrl, other, () => ({
    method: 'POST',
    path: '/report-in',
    body: JSON.stringify({ event: other.eventUid }),
  }))
  const ours = await drain(url, world, (warden, tap) => ({
    method: reportIn.method,
    path: reportIn.path,
    headers: { 'idempotency-key': tap === 0 || warden % 2 ? keyOf(world, warden) : randomUUID() },
  }))
  const { onDuty, entries, journaled } = await whatStands(pool, world)
  const name = `${wardens.toLocaleString('en')} wardens tap Report In twice`
  return [
    withBaseline(`${name}, s until all are answered`, ours.seconds, theirs.seconds, '<= 0.8'),
    withBaseline(`${name}, p99 ms`, ours.p99, theirs.p99),
    { name: `${name}, not on duty after it`, value: wardens - onDuty, target: '= 0' },
    { name: `${name}, journaled not exactly once`, value: entries - journaled + (wardens - journaled), target: '= 0' },
  ]
}

const keys = new Map<string, string>()
function keyOf(world: World, warden: number): string {
  const token = world.tokens[warden] as string
  const key = keys.get(token) ?? randomUUID()
  keys.set(token, key)
  return key
}

/** A running event whose wardens have not reported in. */
async function seedWaiting(pool: pg.Pool): Promise<World> {
  const world = await seedWorld(pool, { evacuees: 1000, wardens })
  await pool.query(
    `update warden_sign_in set reported_in = false, on_duty = false, on_duty_at = null where client_uid = $1`,
    [world.clientUid],
  )
  await pool.query('vacuum analyze warden_sign_in, session')
  return world
}

interface Tap {
  method: 'POST'
  path: string
  headers?: Record<string, string>
  body?: string
}

/** Sends both taps of a warden at nearly the same time on two connections, so that they meet in the server. */
async function drain(url: string, world: World, make: (warden: number, tap: number) => Tap) {
  let n = 0
  const start = performance.now()
  const result = await autocannon({
    url,
    connections,
    amount: 2 * wardens,
    timeout: 120,
    requests: [
      {
        setupRequest: (request) => {
          const warden = (n >> 1) % wardens
          const { headers, ...tap } = make(warden, n++ & 1)
          const authorization = `Bearer ${world.tokens[warden]}`
          return { ...request, ...tap, headers: { ...headers, authorization, 'content-type': 'application/json' } }
        },
      },
    ],
  })
  const seconds = (performance.now() - start) / 1000
  if (result.non2xx || result.errors || result['2xx'] !== 2 * wardens)
    throw new Error(
      `${url}: ${result.non2xx} refused, ${result.errors} failed, ${result['2xx']} of ${2 * wardens} done`,
    )
  return { seconds, p99: result.latency.p99 }
}

async function whatStands(pool: pg.Pool, { clientUid }: World) {
  const { rows } = await pool.query(
    `select (select count(*) from warden_sign_in where client_uid = $1 and on_duty and reported_in)::int as "onDuty",
       count(*)::int as entries, count(distinct subject_uid)::int as journaled
     from journal where client_uid = $1 and action = 'warden_reported_in'`,
    [clientUid],
  )
  return rows[0] as { onDuty: number; entries: number; journaled: number }
}
