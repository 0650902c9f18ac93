import { setTimeout as delay } from 'node:timers/promises'
import { createEvent, endEvent, listEventSites } from '#features/events/calls/events.ts'
import { callerOf } from '#kernel/client/fetch-caller.ts'
import type { Product } from '../../rig/product.ts'
import { timed } from '../report/timed.ts'
import { seedSite } from '../seed/seed-site.ts'

const entriesOfPerson = 10
/** People are recorded in so many transactions, one after the other: in an event each of them has one of their own. */
const lots = 128

export interface PastEvent {
  clientUid: string
  eventUid: string
  call: ReturnType<typeof callerOf>
  entries: number
  /** From the moment a worker took the record until it was kept, ms. */
  writeMs: number
  /** The longest transaction meanwhile behind which the feed waits, ms. */
  heldBackMs: number
}

/** An event of so many people, each recorded ten times within 40 minutes. It is sealed and its people are packed while it runs; then it ends. */
export async function seedPastEvent(product: Product, size: { people: number; buildings: number }): Promise<PastEvent> {
  const { clientUid, token } = await seedSite(product.pool, { occupants: size.people, buildings: size.buildings })
  const call = callerOf(product.url, token)
  const body = await everyBuilding(call)
  await call(createEvent, { body: { ...body, kind: 'drill', broadcastMessage: 'no', alertToWarden: 'no' } })
  const eventUid = await recordEverybody(product, clientUid)
  await untilSealed(product, eventUid, size.people * entriesOfPerson)
  await untilPacked(product, eventUid, size.people)
  await call(endEvent, { body: { ...body, broadcastMessage: 'no' } })
  return {
    clientUid,
    eventUid,
    call,
    entries: size.people * entriesOfPerson,
    ...(await untilReady(product, eventUid)),
  }
}

export async function everyBuilding(call: PastEvent['call']) {
  const { data } = await call(listEventSites, {})
  return {
    buildings: data.sites.flatMap((site) => site.buildings.map(({ id }) => id)),
    eventType: data.eventTypes[0]?.id as never,
    message: 'Fire alarm. Evacuate now.',
  }
}

/** Everyone is found safe and unknown again in turns, one of a hundred in danger once, and is safe at the end. */
async function recordEverybody({ pool }: Product, clientUid: string): Promise<string> {
  const { rows } = await pool.query(
    `update event set started_at = started_at - interval '40 minutes' where client_uid = $1 returning uid`,
    [clientUid],
  )
  await pool.query(`update journal set recorded_at = recorded_at - interval '40 minutes' where event_uid = $1`, [
    rows[0].uid,
  ])
  for (let nth = 0; nth < entriesOfPerson * lots; nth++)
    await pool.query(
      `insert into journal (client_uid, event_uid, action, subject_type, subject_uid, before, after, observed_at, recorded_at)
       select client_uid, event_uid, 'evacuee_status_set', 'evacuee', person_uid,
         jsonb_build_object('status', steps[$3::int], 'on_floor', true, 'floor_uid', floor_uid, 'building_uid', building_uid),
         jsonb_build_object('status', steps[$3::int + 1], 'on_floor', true, 'floor_uid', floor_uid, 'building_uid', building_uid, 'superseded', false),
         at, at + interval '1 second'
       from (
         select *, now() - interval '1 minute' * (4 * ($4::int - $3::int) + random() * 4) as at,
           array['unknown', 'safe', case when hashtext(uid::text) % 100 = 0 then 'danger' else 'unknown' end,
             'safe', 'unknown', 'safe', 'unknown', 'safe', 'unknown', 'safe', 'safe'] as steps
         from evacuee where client_uid = $1 and event_uid = $2 and hashtext(uid::text) & ($6::int - 1) = $5::int order by floor_uid, uid
       ) recorded`,
      [clientUid, rows[0].uid, 1 + Math.floor(nth / lots), entriesOfPerson, nth % lots, lots],
    )
  await pool.query(`update evacuee set status = 'safe', status_at = now() where client_uid = $1`, [clientUid])
  await pool.query(`update tally set safe = safe + unknown, unknown = 0 where client_uid = $1`, [clientUid])
  await reportClear({ pool }, clientUid, rows[0].uid)
  await pool.query('vacuum analyze journal, evacuee, tally')
  return rows[0].uid
}

/** Floors are reported clear one after the other, while some of their people are unknown: each is counted (AAR-14). */
async function reportClear({ pool }: Pick<Product, 'pool'>, clientUid: string, eventUid: string): Promise<void> {
  await pool.query(
    `with clear as (
       insert into floor_status (client_uid, code, name, colour, display_order, means_clear)
       values ($1, 'C', 'Clear', 'green', 2, true) returning uid
     )
     insert into journal (client_uid, event_uid, action, subject_type, subject_uid, after, recorded_at)
     select $1, $2, 'floor_status_set', 'floor', floor_uid, jsonb_build_object('floor_status_uid', clear.uid),
       now() - interval '35 minutes' * row_number() over (order by floor_uid) / count(*) over ()
     from event_floor cross join clear where client_uid = $1 and event_uid = $2`,
    [clientUid, eventUid],
  )
}

async function untilSealed({ pool }: Product, eventUid: string, entries: number): Promise<void> {
  for (;;) {
    const { rows } = await pool.query('select size::int from record_log where event_uid = $1', [eventUid])
    if (rows[0]?.size >= entries) return
    await delay(500)
  }
}

async function untilPacked({ pool }: Product, eventUid: string, people: number): Promise<void> {
  for (;;) {
    const { rows } = await pool.query('select count(*)::int from log_person where event_uid = $1', [eventUid])
    if (rows[0].count >= people) return
    await delay(500)
  }
}

async function untilReady({ pool }: Product, eventUid: string): Promise<{ writeMs: number; heldBackMs: number }> {
  let heldBackMs = 0
  for (;;) {
    const { rows } = await pool.query(
      `select state, 1000 * extract(epoch from clock_timestamp() - (next_try_at - interval '1 minute'))::float8 as ms,
         (select max(1000 * extract(epoch from clock_timestamp() - xact_start))::float8 from pg_stat_activity
           where backend_xid is not null and pid <> pg_backend_pid()) as held
       from (select 1) one left join event_record on event_uid = $1`,
      [eventUid],
    )
    heldBackMs = Math.max(heldBackMs, rows[0].held ?? 0)
    if (rows[0].state === 'ready') return { writeMs: rows[0].ms, heldBackMs }
    await delay(20)
  }
}

/**
 * The baseline of a written record: one aggregate over the entries of the event, ms. It counts moves by floor and status,
 * because no curve, no replay and no figure of a floor can do with less. A count of entries alone would read no JSON.
 */
export async function timeAggregate({ pool }: Product, { clientUid, eventUid }: PastEvent): Promise<number> {
  const count = () =>
    pool.query(
      `select before ->> 'floor_uid', before ->> 'status', after ->> 'status', count(*) from journal
       where client_uid = $1 and event_uid = $2 group by 1, 2, 3`,
      [clientUid, eventUid],
    )
  await count()
  return (await timed(count)).ms
}

/** Copies of the record as earlier ones, so that the organisation has so many. */
export async function seedEarlier({ pool }: Product, { clientUid, eventUid }: PastEvent, records: number) {
  await pool.query(
    `insert into event_record
     select (jsonb_populate_record(r, jsonb_build_object('event_uid', gen_random_uuid(), 'number', r.number + i,
       'began_at', r.began_at - i * interval '1 day', 'ended_at', r.ended_at - i * interval '1 day'))).*
     from event_record r, generate_series(1, $3::int) i where r.client_uid = $1 and r.event_uid = $2`,
    [clientUid, eventUid, records],
  )
  await pool.query('vacuum analyze event_record')
}
