import { setTimeout as delay } from 'node:timers/promises'
import type pg from 'pg'
import { getRole, listReportInCards, reportIn } from '#features/duty/calls/report-in.ts'
import { getSafetySummary } from '#features/evacuation/calls/building-safety.ts'
import { getFloorData } from '#features/evacuation/calls/evacuation.ts'
import { createEvent, endEvent, listEventSites } from '#features/events/calls/events.ts'
import { ApiError } from '#kernel/client/client.ts'
import { callerOf } from '#kernel/client/fetch-caller.ts'
import { median, percentile, type Row, withBaseline } from '../report/report.ts'
import { timed } from '../report/timed.ts'
import { seedSite } from '../seed/seed-site.ts'

const rounds = Number(process.env.BENCH_STARTS ?? 3)
const buildings = 40
let refused = 0

/**
 * (d) The time to start an event for a whole campus with a text to everyone. The baseline is one `insert … select` of
 * as many rows as the start writes. Then the time of the first screens while the texts go out, and the first second: the
 * phones of 1,000 floor wardens come back. Its baseline is as many bare look-ups and UPDATEs.
 */
export async function benchEventStart(url: string, bareUrl: string, pool: pg.Pool, occupants: number): Promise<Row[]> {
  const { clientUid, token, wardenTokens } = await seedSite(pool, { occupants, buildings })
  const call = callerOf(url, token)
  const { data } = await call(listEventSites, {})
  const body = {
    buildings: data.sites.flatMap((site) => site.buildings.map(({ id }) => id)),
    eventType: data.eventTypes[0]?.id as never,
    message: 'Fire alarm. Evacuate now.',
  }
  const times: Record<string, number[]> = {}
  const note = async (what: string, work: () => Promise<unknown>) => {
    times[what] = [...(times[what] ?? []), (await timed(work)).ms]
  }
  let written = 0
  const comeBack: number[] = []
  const bareComeBack: number[] = []
  for (let round = 0; round < rounds; round++) {
    const start = { body: { ...body, broadcastMessage: 'yes', alertToWarden: 'yes' } as const }
    await note('start', () => call(createEvent, start))
    await note('floor', () => call(getFloorData, {}))
    await note('summary', () => call(getSafetySummary, {}))
    await note('manage', () => call(listEventSites, {}))
    written = await rowsOf(pool, clientUid)
    comeBack.push(...(await phonesComeBack(url, wardenTokens, reads)))
    const event = await runningEvent(pool, clientUid)
    bareComeBack.push(...(await phonesComeBack(bareUrl, wardenTokens, bareReads(event))))
    await note('end', () => call(endEvent, { body: { ...body, broadcastMessage: 'no' } }))
    await note('bare', () => bareInsert(pool, written))
  }
  const at = (what: string) => median(times[what] ?? [])
  const size = `${occupants.toLocaleString('en')} people in ${buildings} buildings`
  return [
    withBaseline(
      `event start, ${size} (${written.toLocaleString('en')} rows), ms`,
      at('start'),
      at('bare'),
      '<= 3000 ms',
    ),
    { name: 'floor data right after it, ms', value: at('floor') },
    { name: 'safety summary right after it, ms', value: at('summary') },
    { name: 'event management right after it, ms', value: at('manage') },
    { name: 'event end, ms', value: at('end') },
    withBaseline(
      `${wardenTokens.length.toLocaleString('en')} phones come back within the second after it, p99 of a request, ms`,
      percentile(comeBack, 99),
      percentile(bareComeBack, 99),
      '<= 1000 ms',
    ),
    { name: 'answers that the service was not ready, meanwhile', value: refused, target: '= 0' },
  ]
}

type Ask = (url: string, token: string) => Promise<unknown>

/** What the app asks from the list of cards to the own floor. */
const reads: readonly Ask[] = [
  (url, token) => callerOf(url, token)(listReportInCards, { query: { signInMethod: 'Email' } }),
  (url, token) => callerOf(url, token)(reportIn, {}),
  (url, token) => callerOf(url, token)(getRole, {}),
  (url, token) => callerOf(url, token)(getFloorData, { query: { order: 'attention', floors: 'building' } }),
]

const bareReads = (event: string): readonly Ask[] =>
  reads.map(() => async (url, token) => {
    const headers = { 'content-type': 'application/json', authorization: `Bearer ${token}` }
    const { ok } = await fetch(`${url}/report-in`, { method: 'POST', headers, body: JSON.stringify({ event }) })
    if (!ok) throw new Error('the bare server refused')
  })

/** Each phone comes at some moment of one second and asks one thing after the other. Returns the ms of each answer. */
async function phonesComeBack(url: string, tokens: readonly string[], asks: readonly Ask[]): Promise<number[]> {
  const times = await Promise.all(
    tokens.map(async (token) => {
      await delay(Math.random() * 1000)
      const own: number[] = []
      for (const ask of asks) own.push((await timed(() => untilReady(() => ask(url, token)))).ms)
      return own
    }),
  )
  return times.flat()
}

/** Asks again half a second later while the service is not ready, as the app does. */
async function untilReady<T>(ask: () => Promise<T>): Promise<T> {
  for (;;) {
    try {
      return await ask()
    } catch (error) {
      if (!(error instanceof ApiError && error.status === 503)) throw error
      refused++
      await delay(500)
    }
  }
}

async function runningEvent(pool: pg.Pool, clientUid: string): Promise<string> {
  const { rows } = await pool.query('select uid from event where client_uid = $1 and ended_at is null', [clientUid])
  return rows[0].uid
}

/** The number of rows of the running event. */
async function rowsOf(pool: pg.Pool, clientUid: string): Promise<number> {
  const tables = ['evacuee', 'tally', 'event_floor', 'event_building', 'warden_sign_in', 'report_in_link', 'sms']
  const running = `(select uid from event where client_uid = $1 and ended_at is null)`
  const counts = tables.map(
    (table) => `(select count(*) from ${table} where client_uid = $1 and event_uid = ${running})`,
  )
  const { rows } = await pool.query(`select ${counts.join(' + ')} as written`, [clientUid])
  return Number(rows[0].written)
}

async function bareInsert(pool: pg.Pool, rows: number): Promise<void> {
  await pool.query(
    `create table if not exists bare_row (client_uid uuid, uid uuid primary key, name text, status text)`,
  )
  await pool.query(
    `insert into bare_row select gen_random_uuid(), gen_random_uuid(), 'occupant ' || i, 'unknown' from generate_series(1, $1::int) i`,
    [rows],
  )
}
