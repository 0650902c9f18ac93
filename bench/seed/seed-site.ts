import { createHash, randomBytes, randomUUID } from 'node:crypto'
import type pg from 'pg'
import { newAccessToken } from '../../rig/access-tokens.ts'

export interface Site {
  clientUid: string
  /** Access token of the chief warden. */
  token: string
}

const floorsPerBuilding = 25

/** A site without an event: so many people, and one warden per floor besides the chief, all with a mobile. Set-based. */
export async function seedSite(pool: pg.Pool, size: { occupants: number; buildings: number }): Promise<Site> {
  const client = await pool.connect()
  const [clientUid, siteUid, chiefUid, accountUid] = [randomUUID(), randomUUID(), randomUUID(), randomUUID()]
  const token = newAccessToken()
  const code = `site-${randomBytes(4).toString('hex')}`
  const run = (text: string, ...values: unknown[]) => client.query(text, [clientUid, ...values])
  try {
    await client.query('begin')
    // rows fit together by construction; checking each foreign key would take most of the time
    await client.query('set local session_replication_role = replica')
    await run(`insert into client (uid, code, name, sms_allowed) values ($1, $2, $2, true)`, code)
    await run(`insert into site (client_uid, uid, code, name, timezone) values ($1, $2, 'S', 'Site', 'UTC')`, siteUid)
    await run(
      `insert into building (client_uid, site_uid, code, name) select $1, $2, 'B' || i, 'Building ' || i from generate_series(1, $3::int) i`,
      siteUid,
      size.buildings,
    )
    await run(
      `insert into floor (client_uid, building_uid, code, name, level)
       select $1, uid, 'F' || i, 'Level ' || i, i from building, generate_series(1, $2::int) i where client_uid = $1`,
      floorsPerBuilding,
    )
    await run(
      `insert into floor_status (client_uid, code, name, colour, display_order) values ($1, 'N', 'New', 'grey', 1)`,
    )
    await run(`insert into event_type (client_uid, code, type) values ($1, 'FIRE', 'Fire')`)
    await run(
      `insert into warden_role (client_uid, code, name, area_domain, modules) values
       ($1, 'CW', 'Chief Warden', 'Site', '{Event_Management,Floor_Evacuation,Building_Evacuation_Status}'),
       ($1, 'FW', 'Floor Warden', 'Floor', '{Floor_Evacuation}')`,
    )
    await run(
      `insert into person (client_uid, code, first_name, last_name, mobile, primary_floor_uid)
       select $1, 'P' || i, 'Occupant', lpad(i::text, 7, '0'), '614' || lpad(i::text, 8, '0'), f.uid
       from generate_series(1, $2::int) i
       join (select uid, row_number() over () as n, count(*) over () as floors from floor where client_uid = $1) f
         on f.n = 1 + i % f.floors`,
      size.occupants,
    )
    await run(
      `with wardens as (
         insert into person (client_uid, code, first_name, last_name, mobile, primary_floor_uid)
         select $1, 'W' || row_number() over (), 'Warden', row_number() over ()::text,
           '615' || lpad((row_number() over ())::text, 8, '0'), uid from floor where client_uid = $1
         returning uid, primary_floor_uid
       ), assigned as (
         insert into warden_assignment (client_uid, person_uid, role_uid, site_uid, date_from, date_to, status)
         select $1, w.uid, r.uid, $2, '2020-01-01', '2099-12-31', 'Accepted'
         from wardens w join warden_role r on r.client_uid = $1 and r.code = 'FW' returning uid, person_uid
       )
       insert into assignment_location (client_uid, assignment_uid, floor_uid)
       select $1, a.uid, w.primary_floor_uid from assigned a join wardens w on w.uid = a.person_uid`,
      siteUid,
    )
    await run(
      `with made as (insert into account (uid, owner_client_uid, email) values ($3, $1, $4 || '@bench.test')), chief as (
         insert into person (client_uid, uid, code, account_uid, first_name, last_name) values ($1, $2, 'C', $3, 'Chief', 'One')
       ), assigned as (
         insert into warden_assignment (client_uid, person_uid, role_uid, site_uid, date_from, date_to, status)
         select $1, $2, uid, $5, '2020-01-01', '2099-12-31', 'Accepted' from warden_role where client_uid = $1 and code = 'CW'
         returning uid
       )
       insert into session (token_hash, account_uid, client_uid, person_uid, assignment_uid, sign_in_method, expires_at)
       select $6, $3, $1, $2, uid, 'Email', now() + interval '12 hours' from assigned`,
      chiefUid,
      accountUid,
      code,
      siteUid,
      createHash('sha256').update(token).digest(),
    )
    await client.query('commit')
    await client.query('vacuum analyze person, floor, building, warden_assignment, assignment_location')
    return { clientUid, token }
  } catch (error) {
    await client.query('rollback')
    throw error
  } finally {
    client.release()
  }
}
