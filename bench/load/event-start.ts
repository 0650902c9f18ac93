import { getSafetySummary } from '@evac/contract/calls/building-safety.ts'
import { getFloorData } from '@evac/contract/calls/evacuation.ts'
import { createEvent, endEvent, listEventSites } from '@evac/contract/calls/events.ts'
import { callerOf } from '@evac/contract/client/fetch-caller.ts'
import type pg from 'pg'
import { median, type Row, withBaseline } from '../report/report.ts'
import { timed } from '../report/timed.ts'
import { seedSite } from '../seed/seed-site.ts'

const rounds = Number(process.env.BENCH_STARTS ?? 3)
const buildings = 40

/**
 * (d) The time to start an event for a whole campus with a text to everybody. The baseline is one `insert … select` of
 * as many rows as the start writes. Then the time of the first screens while the texts go out.
 */
export async function benchEventStart(url: string, pool: pg.Pool, occupants: number): Promise<Row[]> {
  const { clientUid, token } = await seedSite(pool, { occupants, buildings })
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
  for (let round = 0; round < rounds; round++) {
    const start = { body: { ...body, broadcastMessage: 'yes', alertToWarden: 'yes' } as const }
    await note('start', () => call(createEvent, start))
    await note('floor', () => call(getFloorData, {}))
    await note('summary', () => call(getSafetySummary, {}))
    await note('manage', () => call(listEventSites, {}))
    written = await rowsOf(pool, clientUid)
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
  ]
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
