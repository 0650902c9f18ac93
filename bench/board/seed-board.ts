import { reportIn } from '#features/duty/calls/report-in.ts'
import { createEvent } from '#features/events/calls/events.ts'
import { callerOf } from '#kernel/client/fetch-caller.ts'
import { hashOf, newAccessToken } from '../../rig/access-tokens.ts'
import type { Product } from '../../rig/product.ts'
import { everyBuilding } from '../records/past-event.ts'
import { seedSite } from '../seed/seed-site.ts'

export interface BoardWorld {
  /** Access tokens of the chief warden, one for each reader. */
  readers: string[]
  /** Access tokens of wardens on duty. */
  wardens: string[]
  eventUid: string
  clientUid: string
}

/** An event of 25 buildings with 40 floors each, with plans, texts and messages, and wardens on duty. */
export async function seedBoard({ pool, url }: Product, people: number, readers: number): Promise<BoardWorld> {
  const { token, clientUid, wardenTokens } = await seedSite(pool, { occupants: people, buildings: 25, floors: 40 })
  const call = callerOf(url, token)
  const body = { ...(await everyBuilding(call)), broadcastMessage: 'no', alertToWarden: 'no' } as const
  const { event } = await call(createEvent, { body })
  const eventUid = event?.id as string
  const wardens = wardenTokens.slice(0, 200)
  for (const warden of wardens) await callerOf(url, warden)(reportIn, { body: null })
  await pool.query(
    `insert into peep (client_uid, person_uid, assistance)
     select client_uid, person_uid, 'Evacuation chair' from evacuee where event_uid = $1 order by uid limit 1250`,
    [eventUid],
  )
  await pool.query(
    `insert into sms (client_uid, event_uid, kind, person_uid, body, status, valid_until)
     select client_uid, event_uid, 'event_message', person_uid, 'Evacuate', case when random() < 0.03 then 'failed' else 'delivered' end, now()
     from evacuee where event_uid = $1`,
    [eventUid],
  )
  for (const [direction, share] of [
    ['out', 1],
    ['in', 0.05],
  ])
    await pool.query(
      `insert into message (client_uid, event_uid, kind, direction, evacuee_uid, text)
       select client_uid, event_uid, 'evacuee', $2, uid, 'Are you safe?' from evacuee where event_uid = $1 and random() < $3`,
      [eventUid, direction, share],
    )
  await recordMuch(pool, clientUid, eventUid)
  await pool.query('vacuum analyze')
  return { readers: await addSessions(pool, clientUid, token, readers), wardens, eventUid, clientUid }
}

/** Half an hour of the event: each floor has a status of its own time, and most people have one. */
async function recordMuch(pool: Product['pool'], clientUid: string, eventUid: string) {
  await pool.query(
    `insert into floor_status (client_uid, code, name, colour, display_order, means_clear)
     values ($1, 'S', 'Searching', 'yellow', 2, false), ($1, 'C', 'Cleared', 'green', 3, true), ($1, 'H', 'Help', 'red', 4, false)`,
    [clientUid],
  )
  await pool.query(`update event set began_at = began_at - interval '30 minutes' where uid = $1`, [eventUid])
  const seen = `now() - random() * interval '30 minutes'`
  await pool.query(
    `update event_floor ef set observed_at = ${seen}, updated_by_person_uid = si.person_uid,
       floor_status_uid = (select uid from floor_status where client_uid = $1 and ef.floor_uid is not null order by random() limit 1)
     from (select person_uid from warden_sign_in where event_uid = $2 limit 1) si where ef.event_uid = $2`,
    [clientUid, eventUid],
  )
  await pool.query(
    `update evacuee set status = case floor(random() * 1000)::int when 0 then 'danger' else
         (array['safe', 'safe', 'unknown'])[1 + floor(random() * 3)::int] end, status_at = now(),
       status_observed_at = ${seen} where event_uid = $1`,
    [eventUid],
  )
  await pool.query(
    `update tally t set safe = n.safe, unknown = n.unknown, danger = n.danger
     from (select place_uid, count(*) filter (where status = 'safe') as safe, count(*) filter (where status = 'unknown') as unknown,
       count(*) filter (where status = 'danger') as danger from evacuee where event_uid = $1 group by place_uid) n
     where t.event_uid = $1 and t.place_uid = n.place_uid`,
    [eventUid],
  )
}

/** Further sessions like the one of the token: a reader each. */
async function addSessions(pool: Product['pool'], clientUid: string, token: string, count: number) {
  const tokens = Array.from({ length: count }, newAccessToken)
  await pool.query(
    `insert into session (token_hash, account_uid, client_uid, person_uid, assignment_uid, sign_in_method, expires_at)
     select unnest($3::bytea[]), account_uid, client_uid, person_uid, assignment_uid, sign_in_method, expires_at
     from session where client_uid = $1 and token_hash = $2`,
    [clientUid, hashOf(token), tokens.map(hashOf)],
  )
  return tokens
}
